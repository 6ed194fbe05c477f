import BelfryCore
import Foundation
import Testing
@preconcurrency import UserNotifications

@testable import BelfryKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An app with a stubbed notification centre, a folder of its own and a server that answers by path.
struct AppFixture {
    final class Server: Transport {
        private let answers: Guarded<[String: String]>
        private let seen = Guarded<[(words: String, body: JSONValue)]>([])

        private static let empty = [
            "categories/registration": #"{"categories": []}"#,
            "local-plans/scheduled": #"{"notifications": [], "omitted_count": 0}"#,
        ]

        init(_ answers: [String: String]) { self.answers = Guarded(Self.empty.merging(answers) { $1 }) }

        /// In a few words: `PUT devices/x`.
        var words: [String] { seen.withLock { $0.map(\.words) } }

        /// The bodies of the requests that these words begin.
        func bodies(_ words: String) -> [[String: JSONValue]] {
            seen.withLock { $0.filter { $0.words.hasPrefix(words) }.map { $0.body.object ?? [:] } }
        }

        /// The events of all acknowledgements, as `kind of message`.
        var events: [String] {
            bodies("POST acknowledgements").flatMap { body -> [String] in
                guard case .array(let events) = body["events"] else { return [] }
                return events.compactMap(\.object).map {
                    "\($0["kind"]?.string ?? "") of \($0["message_id"]?.string ?? "")"
                }
            }
        }

        func send(_ request: URLRequest) async -> TransportResult {
            let path = (request.url?.path ?? "").replacingOccurrences(of: "/v1/apps/1/", with: "")
            let body = request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null
            seen.withLock { $0.append(("\(request.httpMethod ?? "") \(path)", body)) }
            let answer = answers.withLock { $0[path] } ?? "{}"
            return .answer(.init(status: 200, headers: ["etag": "\"1\""], body: Data(answer.utf8)))
        }
    }

    let app: Belfry
    let center: UNUserNotificationCenter
    let server: Server
    let folder: URL

    static let configuration = BelfryConfiguration(
        api: URL(string: "https://push.example.com/v1/apps/1") ?? URL(fileURLWithPath: "/"), publishableKey: "bfp_x")

    static func with(
        _ answers: [String: String] = [:], center state: UNUserNotificationCenter.State = .init(),
        _ body: (AppFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = Server(answers)
        nonisolated(unsafe) let center = UNUserNotificationCenter(stub: state)
        let app = Belfry(center: { center }) { configuration in
            Client(
                configuration: configuration, folder: folder, installations: InstallationFile(in: folder),
                transport: server)
        }
        try await body(AppFixture(app: app, center: center, server: server, folder: folder))
    }

    /// A notification as iOS hands it to the app.
    static func notification(
        _ userInfo: [AnyHashable: Any], id: String = "r1", at date: Date = Date()
    ) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        return UNNotification(
            stub: UNNotificationRequest(identifier: id, content: content, trigger: nil), date: date)
    }
}
