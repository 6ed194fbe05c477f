import EventLoop
import Postgres
import TestSupport
import Testing

/// A connection on which nothing arrives any more, though both ends believe that it is there.
@Suite struct SilentConnectionTests {
    private func withProxy(
        _ change: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (SilentProxy, _ through: PostgresConfiguration, _ direct: PostgresConnection) async throws -> Void
    ) async throws {
        try await withConnection { direct, configuration in
            let proxy = try SilentProxy(target: "\(configuration.socketPath)")
            defer { proxy.close() }
            var through = try PostgresConfiguration(
                "host=127.0.0.1 port=\(proxy.port) user=\(configuration.user ?? "") dbname=\(configuration.database ?? "")"
            )
            change(&through)
            try await body(proxy, through, direct)
        }
    }

    @Test func transactionBehindASilentProxyReleasesItsLocks() async throws {
        try await withProxy({ $0.idleInTransactionTimeout = .seconds(1) }) { proxy, through, direct in
            try await direct.execute("CREATE TABLE t (n int)")
            let silent = try await PostgresConnection.connect(through, on: direct.loop, logger: quiet)
            try await silent.execute("BEGIN")
            try await silent.execute("LOCK TABLE t")
            proxy.isSilent = true
            try await direct.execute("INSERT INTO t VALUES (1)", deadline: .seconds(10))
            proxy.close()
            await silent.close()
        }
    }

    @Test func statementEndsAtItsDeadlineAndThePoolGoesOn() async throws {
        try await withProxy({ $0.statementDeadline = .milliseconds(300) }) { proxy, through, direct in
            var limits = PostgresPool.Limits(connections: 2)
            limits.wait = .seconds(1)
            let pool = PostgresPool(through, limits: limits, on: direct.loop, logger: quiet)
            _ = try await pool.query("SELECT 1")
            proxy.isSilent = true
            let began = MonotonicTime.now()
            let failure = await postgresError { _ = try await pool.query("SELECT 2") }
            #expect(failure?.isAmbiguous == true)
            // The deadline, and the time that the server gets to react to the cancel request.
            #expect(MonotonicTime.now() - began < .seconds(8))
            proxy.isSilent = false
            var hasAnswer = false
            while !hasAnswer {
                let refusal = await postgresError { _ = try await pool.query("SELECT 3") }
                hasAnswer = refusal == nil
                #expect(refusal == nil || refusal?.kind == .connectFailed || refusal?.kind == .poolExhausted)
            }
            proxy.close()
            await pool.close()
        }
    }
}

extension PostgresConfiguration {
    fileprivate var socketPath: String {
        "\(self.description.split(separator: " ").first { $0.hasPrefix("host=") }?.dropFirst(5) ?? "")/.s.PGSQL.5432"
    }
}
