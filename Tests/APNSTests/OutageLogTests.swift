import APNSSimulator
import EventLoop
import Logging
import TestSupport
import Testing

@testable import APNS

/// The client's log while Apple can't be reached.
@Suite(.timeLimit(.minutes(10)))
struct OutageLogTests {
    private static func lines(_ log: CapturedLog) -> [Substring] {
        log.text.split(separator: "\n").filter { !$0.hasPrefix("debug") }
    }

    /// A client of the fixture's simulator with its own log.
    private static func client(
        of fixture: APNSFixture, _ log: CapturedLog, tokens: (any ProviderTokenSource)? = nil,
        endpoint: APNSEndpoint? = nil
    ) async throws -> APNSClient {
        try APNSClient(
            endpoint: endpoint ?? fixture.server.endpoint(), tokens: tokens ?? fixture.tokens, reasons: ReasonTable(),
            options: .short { ($0.shortestPause, $0.longestPause) = (.milliseconds(1), .milliseconds(2)) },
            loop: fixture.loop, logger: log.makeLogger())
    }

    /// Answers about the credential at once, errors of Apple once they are no accident.
    @Test(arguments: [(Fault.answer(.invalidProviderToken), 1), (.internalServerError, RefusalLog.errorsBeforeOutage)])
    func refusalOfAllPushesIsOneWarningAndOneLineAtItsEnd(_ fault: Fault, _ first: Int) async throws {
        try await withFixture { fixture in
            let log = CapturedLog()
            let client = try await Self.client(of: fixture, log)
            fixture.server.faults = Faults([.init(fault, .first(20))])
            for number in 0..<21 {
                let warnings = Self.lines(log).filter { $0.hasPrefix("warning") }
                #expect(warnings.count == (number < first ? 0 : 1))
                _ = await client.send(try APNSFixture.window(number..<number + 1))
            }
            let lines = Self.lines(log).filter { $0.contains("refuses all") || $0.contains("accepts pushes") }
            #expect(lines.count == 2)
            #expect(lines.first?.contains(fault == .internalServerError ? "InternalServer" : "InvalidProvider") == true)
            #expect(lines.last?.hasPrefix("info Apple accepts pushes of the credential again") == true)
            await client.shutDown()
        }
    }

    /// A refused connection fails before SETTINGS, and GOAWAY after them.
    @Test(arguments: [Fault.refuseConnection, .goAway(.init(lastStream: .previousStream))])
    func outageIsOneWarningAndOneLineAtItsEnd(_ fault: Fault) async throws {
        try await withFixture { fixture in
            let log = CapturedLog()
            let client = try await Self.client(of: fixture, log)
            fixture.server.faults = Faults([.init(fault, .first(20))])
            // Eight batches try again and again, as workers do.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for batch in 0..<8 {
                    group.addTask {
                        let window = try APNSFixture.window(batch * 10..<(batch + 1) * 10)
                        try await fixture.sendAll(window, with: client)
                        #expect(window.acceptedCount == 10)
                    }
                }
                try await group.waitForAll()
            }
            let failures = log.text.split(separator: "\n").filter { $0.contains("connection to APNs failed") }
            #expect(failures.count >= 20)

            let lines = Self.lines(log)
            let warnings = lines.filter { $0.hasPrefix("warning") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.hasPrefix("warning connection to APNs failed") == true)
            #expect(warnings.first?.contains(fixture.server.configuration.host) == true)
            #expect(warnings.first?.contains("reason") == true)
            let ends = lines.filter { $0.hasPrefix("info connection to APNs restored") }
            #expect(ends.count == 1 && ends.first?.contains("after") == true)
            // Connections that do not last are no news.
            #expect(lines.count < 20)
            await client.shutDown()
        }
    }

    /// One for each app and environment, for example.
    @Test func outageThatSeveralClientsNoticeIsOneWarning() async throws {
        try await withFixture { fixture in
            let log = CapturedLog()
            let endpoint = try fixture.server.endpoint()
            var clients: [APNSClient] = []
            for _ in 0..<3 { clients.append(try await Self.client(of: fixture, log, endpoint: endpoint)) }
            fixture.server.faults = Faults([.init(.refuseConnection, .always)])
            for client in clients {
                guard case .unavailable = await client.send(try APNSFixture.window(0..<1)) else { throw Unexpected() }
            }
            fixture.server.faults = .none
            for client in clients {
                let window = try APNSFixture.window(0..<1)
                try await fixture.sendAll(window, with: client)
                #expect(window.acceptedCount == 1)
            }
            let lines = Self.lines(log)
            #expect(lines.count { $0.hasPrefix("warning connection to APNs failed") } == 1)
            #expect(lines.count { $0.hasPrefix("info connection to APNs restored") } == 1)
            for client in clients { await client.shutDown() }
        }
    }

    @Test func missingProviderTokenIsOneWarning() async throws {
        try await withFixture { fixture in
            let log = CapturedLog()
            let tokens = FailingSource(fixture.tokens)
            let client = try await Self.client(of: fixture, log, tokens: tokens)
            for _ in 0..<5 {
                guard case .unavailable(.token) = await client.send(try APNSFixture.window(0..<1)) else {
                    throw Unexpected()
                }
            }
            tokens.isFailing = false
            let window = try APNSFixture.window(0..<1)
            try await fixture.sendAll(window, with: client)
            #expect(window.acceptedCount == 1)

            let lines = Self.lines(log).filter { $0.contains("provider token") }
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("warning provider token not available") == true)
            #expect(lines.last?.hasPrefix("info provider token available again") == true)
            await client.shutDown()
        }
    }

    /// Has no token while the database is away, for example.
    private final class FailingSource: ProviderTokenSource {
        private struct Failure: Error {}
        private let source: RenewingSource
        private let failing = Lock(true)

        init(_ source: RenewingSource) { self.source = source }

        var isFailing: Bool {
            get { failing.withLock { $0 } }
            set { failing.withLock { $0 = newValue } }
        }

        func token() async throws -> ProviderToken {
            guard !isFailing else { throw Failure() }
            return try await source.token()
        }

        func replace(_ token: ProviderToken) async throws -> ProviderToken { try await source.replace(token) }
    }
}
