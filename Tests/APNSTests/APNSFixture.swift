import APNSSimulator
import Crypto
import EventLoop
import Glibc
import Logging
import Notifications
import TLS
import TestSupport
import Testing

@testable import APNS

/// A simulator and a client that sends to it, each on a loop of its own.
struct APNSFixture: Sendable {
    static let bundleID = "com.example.app"

    let server: SimulatorServer
    let client: APNSClient
    let tokens: RenewingSource
    let serverLoop: EventLoop
    let loop: EventLoop

    /// A window of pushes with these numbers.
    static func window(
        _ numbers: Range<Int>, until moment: MonotonicTime = .now() + .seconds(30) * TestTimeouts.factor,
        recordsUniqueIDs: Bool = false
    ) throws -> PushWindow {
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: try BundleID(bundleID), pushType: .alert, priority: .immediate, expiration: 0,
                collapseID: nil), recordsUniqueIDs: recordsUniqueIDs)
        for number in numbers { window.append(number) }
        window.allow(until: moment)
        return window
    }

    /// Sends until nothing is unsent, since a client that pauses returns immediately.
    func sendAll(_ window: PushWindow, with client: APNSClient? = nil) async throws {
        while window.unsentCount > 0, .now() < window.startDeadline {
            if case .unavailable = await (client ?? self.client).send(window) {
                try await loop.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Sends each range as a separate window, all concurrently.
    func sendAtOnce(_ ranges: [Range<Int>]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for range in ranges {
                group.addTask {
                    let window = try Self.window(range)
                    try await sendAll(window)
                    #expect(window.acceptedCount == range.count)
                }
            }
            try await group.waitForAll()
        }
    }

    /// A connection without the client that usually owns it.
    func withConnection(
        options: APNSOptions = .short(), _ body: (APNSConnection) async throws -> Void
    ) async throws {
        let endpoint = try server.endpoint()
        let connection = APNSConnection(
            endpoint: endpoint, token: try await tokens.token(), reasons: ReasonTable(), options: options, loop: loop)
        try await connection.open(tls: .client(trust: endpoint.trust, alpn: ["h2"]))
        try await body(connection)
        await connection.close()
    }

    /// Checks that each of these pushes was accepted once, by its own id.
    func expectAcceptedOnce(_ numbers: some Sequence<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
        let wrong = numbers.filter { number in
            PushID(Self.id(number)).map { server.record.accepted($0) } != 1
        }
        #expect(wrong.isEmpty, sourceLocation: sourceLocation)
        #expect(server.record.counts.acceptedTwice == 0, sourceLocation: sourceLocation)
    }

    /// The apns-id of the push with this number.
    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0badcafe-0000-8000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }

    static func token(_ number: Int) -> [UInt8] {
        (0..<32).map { place in UInt8(truncatingIfNeeded: (number >> (place % 4 * 8)) &+ place / 4 * 37) }
    }
}

extension PushWindow {
    func append(
        _ number: Int, token: [UInt8]? = nil, payload text: [UInt8] = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
    ) {
        let (id, payload) = (token ?? APNSFixture.token(number)).withUnsafeBytes { beginPush(token: $0) }
        id.copyBytes(from: APNSFixture.id(number).utf8)
        payload.copyBytes(from: text)
        endPush(payloadLength: text.count)
    }

    func places(_ state: PushResult.State) -> [Int] { (0..<count).filter { results[$0].state == state } }

    var acceptedCount: Int { (0..<count).count { results[$0].isAccepted } }
}

/// Real tokens; a new one whenever Apple reports the old one as expired.
final class RenewingSource: ProviderTokenSource {
    private struct State {
        var token: ProviderToken
        var replacements = 0
    }

    let key: SigningKey
    let keyID: KeyID
    let teamID: TeamID
    private let state: Lock<State>

    init() throws {
        key = try SigningKey.generate()
        keyID = try KeyID("KEY4567890")
        teamID = try TeamID("TEAM567890")
        state = Lock(State(token: try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: time(nil))))
    }

    var replacements: Int { state.withLock(\.replacements) }

    func token() async throws -> ProviderToken { state.withLock(\.token) }

    func replace(_ token: ProviderToken) async throws -> ProviderToken {
        try state.withLock { state in
            state.replacements += 1
            state.token = try ProviderToken(key: key, keyID: keyID, teamID: teamID, issuedAt: token.issuedAt + 1)
            return state.token
        }
    }
}

/// Runs a simulator and a client for the length of `body`. Delays are short.
func withFixture(
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }, options adjust: (inout APNSOptions) -> Void = { _ in },
    devices: DeviceTable = DeviceTable(), deliver: (@Sendable (DeliveredPush) -> Void)? = nil,
    observe: (@Sendable (ObservedPush) -> Void)? = nil,
    endpoint: (SimulatorServer) throws -> APNSEndpoint = { try $0.endpoint() },
    _ body: @Sendable @escaping (APNSFixture) async throws -> Void
) async throws {
    let tokens = try RenewingSource()
    var configuration = SimulatorConfiguration()
    configuration.keys = [
        ProviderKey(
            keyID: tokens.keyID.text, teamID: tokens.teamID.text, publicKey: tokens.key.publicKey,
            bundleIDs: [APNSFixture.bundleID])
    ]
    change(&configuration)
    let loops = try EventLoopGroup(count: 1, name: "simulator")
    let loop = try EventLoop(name: "client")
    defer {
        loops.stop()
        loop.stop()
    }
    let server = try SimulatorServer(
        configuration: configuration, devices: devices, loops: loops, logger: .silent, deliver: deliver,
        observe: observe)
    try server.start()
    let client = try APNSClient(
        endpoint: endpoint(server), tokens: tokens, reasons: ReasonTable(), options: .short(adjust), loop: loop,
        logger: .silent)
    let fixture = APNSFixture(server: server, client: client, tokens: tokens, serverLoop: loops.loops[0], loop: loop)
    try await withThrowingTaskGroup(of: Void.self) { group in
        // On the shared pool, it could wait behind other tests while the client waits for it.
        group.addTask(executorPreference: loop) { try await server.run() }
        try await withTaskExecutorPreference(loop) {
            try await body(fixture)
            await client.shutDown()
        }
        group.cancelAll()
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension SimulatorServer {
    func endpoint() throws -> APNSEndpoint {
        APNSEndpoint(host: configuration.host, port: try #require(try port), trust: .pem(certificatePEM))
    }
}

extension APNSOptions {
    static func short(_ adjust: (inout APNSOptions) -> Void = { _ in }) -> APNSOptions {
        var options = APNSOptions()
        options.requestDeadline = .seconds(30) * TestTimeouts.factor
        options.connectTimeout = .seconds(30) * TestTimeouts.factor
        options.connectionSpacing = .zero
        options.shortestPause = .milliseconds(40)
        options.longestPause = .milliseconds(200)
        adjust(&options)
        return options
    }
}
