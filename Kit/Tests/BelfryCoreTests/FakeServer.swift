import Foundation
import Testing

@testable import BelfryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests by a closure, and keeps them.
final class FakeServer: Transport {
    struct Request: Sendable {
        let method: String
        let path: String
        let body: JSONValue

        subscript(_ member: String) -> JSONValue? { body.object?[member] }
    }

    private let answer: @Sendable (Request, Int) async -> TransportResult
    private let seen = Guarded<[Request]>([])

    /// The closure has the request and the number of those before it.
    init(_ answer: @escaping @Sendable (Request, Int) async -> TransportResult) { self.answer = answer }

    /// Answers everything with 200.
    convenience init() { self.init { _, _ in .ok() } }

    var requests: [Request] { seen.withLock { $0 } }

    /// In a few words: `PUT devices/x`.
    var words: [String] {
        requests.map { "\($0.method) \($0.path.replacingOccurrences(of: "/v1/apps/1/", with: ""))" }
    }

    func send(_ request: URLRequest) async -> TransportResult {
        let body = request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null
        let request = Request(method: request.httpMethod ?? "", path: request.url?.path ?? "", body: body)
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
        }
        return await answer(request, number)
    }
}

extension TransportResult {
    static func ok(_ body: String = "{}") -> TransportResult { .answer(.init(status: 200, body: Data(body.utf8))) }

    static func problem(_ status: Int, _ code: String, headers: [String: String] = [:]) -> TransportResult {
        let body = #"{"code": "\#(code)", "detail": "Something is wrong."}"#
        return .answer(.init(status: status, headers: headers, body: Data(body.utf8)))
    }
}

/// A clock that tests set. Its waits end when the test says so.
final class FakeClock: ClientClock {
    private struct State {
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var waits: [TimeInterval] = []
    }

    private let state = Guarded(State())
    /// The waits, as they begin.
    let waits: AsyncStream<TimeInterval>
    private let began: AsyncStream<TimeInterval>.Continuation

    init() { (waits, began) = AsyncStream.makeStream() }

    var now: Date { state.withLock(\.now) }

    func advance(_ seconds: TimeInterval) { state.withLock { $0.now.addTimeInterval(seconds) } }

    func sleep(seconds: TimeInterval) async throws {
        began.yield(seconds)
        // Until the client ends or is asked again.
        try await Task.sleep(nanoseconds: 3_600_000_000_000)
    }
}

/// An installation in memory, or one that can't be read.
final class FakeKeychain: InstallationStore {
    private let kept: Guarded<InstallationReading>

    init(_ reading: InstallationReading = .absent) { kept = Guarded(reading) }

    func read() -> InstallationReading { kept.withLock { $0 } }

    func create(_ installation: String) -> Bool {
        kept.withLock { $0 = .found(installation) }
        return true
    }

    func unlock(_ installation: String) { kept.withLock { $0 = .found(installation) } }
}

/// A client with a folder of its own, a fake server and a fake clock.
struct ClientFixture {
    let folder: URL
    let server: FakeServer
    let clock = FakeClock()
    let keychain: FakeKeychain

    static func with(
        _ server: FakeServer = FakeServer(), keychain: FakeKeychain = FakeKeychain(.found("phone-1")),
        _ body: (ClientFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-kit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(ClientFixture(folder: folder, server: server, keychain: keychain))
    }

    /// As after a launch.
    func client(
        api: String = "https://push.example.com/v1/apps/1", key: String = "bfp_x"
    ) throws -> Client {
        let configuration = BelfryConfiguration(api: try #require(URL(string: api)), publishableKey: key)
        return Client(
            configuration: configuration, folder: folder, installations: keychain, transport: server, clock: clock)
    }

    static func token(_ byte: UInt8 = 1) throws -> DeviceToken {
        try #require(DeviceToken(Data(repeating: byte, count: 32)))
    }

    static let state = DeviceState(environment: .production, authorization: .authorized)

    static func push(_ id: String = "m1") -> Push {
        Push(userInfo: ["aps": ["alert": "Tonight at eight."], "i": id])
    }
}
