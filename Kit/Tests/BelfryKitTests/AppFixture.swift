import BelfryCore
import BelfryTesting
import Foundation
import Testing
@preconcurrency import UserNotifications

@testable import BelfryKit

/// An app with a stubbed notification centre, a folder of its own and a server that answers by path.
struct AppFixture {
    let app: Belfry
    let center: UNUserNotificationCenter
    let server: RecordingServer
    let folder: URL

    static let configuration = BelfryConfiguration(
        api: URL(string: "https://push.example.com/v1/apps/1") ?? URL(fileURLWithPath: "/"), publishableKey: "bfp_x")

    static func with(
        _ answers: [String: String] = [:], center state: UNUserNotificationCenter.State = .init(),
        on given: UNUserNotificationCenter? = nil, _ body: (AppFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = RecordingServer(answers)
        nonisolated(unsafe) let center = given ?? UNUserNotificationCenter(stub: state)
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
