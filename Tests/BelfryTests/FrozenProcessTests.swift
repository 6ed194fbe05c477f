import Campaigns
import EventLoop
import Foundation
import Glibc
import HTTPTypes
import JSON
import Logging
import Postgres
import PrivatePostgres
import Store
import TLS
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// A process is stopped (SIGSTOP) inside a transaction, as on a machine that freezes: it holds its locks.
    struct FrozenProcessTests {
        /// Otherwise it is 20 seconds.
        private static let limits = ["PGOPTIONS": "-c idle_in_transaction_session_timeout=3s"]
        private static let longestWait = Duration.seconds(30)
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test func registrationsGoOn() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, environment: Self.limits) { serve in
                    let gate = try await Gate.close(on: "INSERT ON devices", of: serve.database, on: serve.loop)
                    async let held: Void? = try? Self.register("1", with: serve.url, serve)
                    try await gate.waitForVisitor()
                    serve.process.send(SIGSTOP)
                    defer { serve.process.send(SIGCONT) }
                    try await gate.open()

                    let port = try ServeFixture.freePort()
                    let other = try await serve.command(["serve", "--port", "\(port)"])
                    let began = MonotonicTime.now()
                    try await Self.untilAnswered {
                        try await Self.register("2", with: "http://127.0.0.1:\(port)", serve)
                    }
                    #expect(MonotonicTime.now() - began < Self.longestWait)
                    serve.process.send(SIGCONT)
                    // The transaction was rolled back: it says so, or tries again.
                    _ = await held
                    try await Self.register("1", with: serve.url, serve)
                    other.send(SIGTERM)
                    _ = try await other.ending()
                }
            }
        }

        private static func register(_ installation: String, with url: String, _ serve: ServeFixture) async throws {
            try await withTaskExecutorPreference(serve.loop) {
                let api = try APIClient(url: url, trust: .systemRoots, key: serve.key, on: serve.loop)
                do {
                    _ = try await api.send(
                        .put, "/v1/apps/\(serve.app)/devices/installation-\(installation)",
                        [
                            "token": .string(String(repeating: "a\(installation)", count: 32)),
                            "environment": "production",
                        ])
                } catch {
                    await api.close()
                    throw error
                }
                await api.close()
            }
        }

        /// Repeats while the server has not started.
        private static func untilAnswered(_ body: () async throws -> Void) async throws {
            while true {
                do {
                    return try await body()
                } catch  where !(error is CommandFailure) {
                    continue
                }
            }
        }

        @Test func runThatItPlansCanBePaused() async throws {
            try await ChaosEnvironment.run(.leave) { environment in
                let gate = try await Gate.close(
                    on: "UPDATE OF plan_cursor ON runs", of: environment.cluster.configuration, on: environment.loop)
                try await environment.withWorker(environment: Self.limits) { worker in
                    try await gate.waitForVisitor()
                    worker.send(SIGSTOP)
                    try await gate.open()
                    let began = MonotonicTime.now()
                    let runs = RunStore(pool: environment.pool)
                    let run = try await runs.list(
                        campaign: environment.campaign, app: environment.app, before: nil, limit: 1)[0]
                    let paused = try await runs.transition(run.id, app: environment.app, by: .pause)
                    #expect(paused.state == .paused)
                    #expect(MonotonicTime.now() - began < Self.longestWait)
                    worker.send(SIGCONT)
                    // The frozen step was rolled back, so nothing is missing when the run goes on.
                    _ = try await runs.transition(run.id, app: environment.app, by: .resume)
                    let end = try await environment.untilFinished()
                    #expect(end.isBalanced && end.verifiedAt != nil && end.targeted == ChaosEnvironment.devices)
                }
            }
        }

        /// When the last provider token was issued; nil if none was.
        private static func lastToken(_ environment: ChaosEnvironment) async throws -> Timestamp? {
            try await environment.pool.query("SELECT max(issued_at) FROM provider_tokens")[0][0]
        }

        @Test func otherWorkersGetAProviderToken() async throws {
            try await ChaosEnvironment.run(.leave) { environment in
                let gate = try await Gate.close(
                    on: "UPDATE ON provider_tokens", of: environment.cluster.configuration, on: environment.loop)
                try await environment.withWorker(environment: Self.limits) { worker in
                    try await gate.waitForVisitor()
                    worker.send(SIGSTOP)
                    let earlier = try await Self.lastToken(environment)
                    try await gate.open()
                    let began = MonotonicTime.now()
                    try await environment.withWorker { _ in
                        while try await Self.lastToken(environment) == earlier {
                            try await Task.sleep(for: .milliseconds(20))
                        }
                        #expect(MonotonicTime.now() - began < Self.longestWait)
                        let end = try await environment.untilFinished()
                        #expect(end.isBalanced && end.verifiedAt != nil)
                    }
                    worker.send(SIGCONT)
                }
            }
        }
    }
}

/// A trigger that holds up a statement inside its transaction.
private struct Gate {
    private static let lock: PostgresQuery = "4711"
    private let holder: PostgresConnection

    static func close(on event: String, of configuration: PostgresConfiguration, on loop: EventLoop) async throws
        -> Gate
    {
        try await withTaskExecutorPreference(loop) {
            let holder = try await PostgresConnection.connect(
                configuration, on: loop, logger: Logger(label: "gate") { _ in SwiftLogNoOpLogHandler() })
            try await holder.execute(
                """
                CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_advisory_xact_lock_shared(\(lock)); RETURN NEW; END $$
                """)
            try await holder.execute(
                """
                CREATE TRIGGER gate BEFORE \(unescaped: event) FOR EACH ROW EXECUTE FUNCTION wait_at_gate()
                """)
            _ = try await holder.query("SELECT pg_advisory_lock(\(lock))::text")
            return Gate(holder: holder)
        }
    }

    /// Waits until a statement is held up.
    func waitForVisitor() async throws {
        try await withTaskExecutorPreference(holder.loop) {
            while try await holder.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").isEmpty {
                try await holder.loop.sleep(for: .milliseconds(10))
            }
        }
    }

    func open() async throws {
        try await withTaskExecutorPreference(holder.loop) {
            _ = try await holder.query("SELECT pg_advisory_unlock(\(Self.lock))")
            await holder.close()
        }
    }
}
