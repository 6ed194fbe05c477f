import APNSSimulator
import Campaigns
import EventLoop
import Foundation
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// A dump that is restored into the database that it came from: server, timeline and database stay the same.
    @Suite struct LogicalRestoreTests {
        enum Method: CaseIterable {
            /// `pg_restore --clean`: new tables.
            case clean
            /// `TRUNCATE`, then `pg_restore --data-only`: the same tables.
            case dataOnly
            /// Only the batches: the run keeps what it knew.
            case batches
        }

        @Test(arguments: Method.allCases, [true, false])
        func nobodyIsSentToAgainBeforeAPersonAgrees(_ method: Method, hasSurvivor: Bool) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                // Its second half is not due yet, so the run stays open.
                let run = try await bench.plannedRun()
                try await bench.addLaterBatch(of: run, devices: 21...25)
                try await Self.withDump(of: bench.configuration) { dump in
                    let first = EventLog()
                    if hasSurvivor {
                        try await bench.withWorker(log: first) {
                            await first.wait(for: \.isDone)
                            try await Self.restore(dump, into: bench, method)
                            try await Self.expectQuestion(bench, run, first)
                        }
                    } else {
                        try await bench.withWorker(log: first) { await first.wait(for: \.isDone) }
                        try await Self.restore(dump, into: bench, method)
                        let second = EventLog()
                        try await bench.withWorker(log: second) { try await Self.expectQuestion(bench, run, second) }
                    }
                }
            }
        }

        private static func expectQuestion(_ bench: DispatcherFixture, _ run: Run.ID, _ log: EventLog) async throws {
            await log.wait(for: \.isHold)
            let held = try await bench.runs.find(run, app: bench.app)
            #expect(held.state == .paused && held.reason?.contains("restored from a backup") == true)
            // The batch is ready again, and the one thing that keeps it is the question.
            let ready = try await bench.pool.query(
                "SELECT count(*) FROM batches WHERE run_id = \(run) AND state = 'ready' AND due_at <= now()")
            #expect(try ready[0][0] as Int64 == 1)
            #expect(bench.record.counts.accepted == 20)
            // A person agrees: then they get it again.
            _ = try await bench.campaigns.resume(held.campaign, app: bench.app)
            try await bench.until { bench.record.counts.accepted == 40 }
        }

        // MARK: Dump and restore

        private static func withDump(
            of configuration: PostgresConfiguration, _ body: (String) async throws -> Void
        ) async throws {
            let path = "\(ScratchSpace.path)/belfry-dump-\(UUID().uuidString)"
            defer { unlink(path) }
            #expect(try await run("pg_dump", "-Fc", "-f", path, "-d", "\(configuration)") == 0)
            try await body(path)
        }

        private static func restore(_ dump: String, into bench: DispatcherFixture, _ method: Method) async throws {
            let database = ["-d", "\(bench.configuration)", dump]
            switch method {
            case .clean:
                // It can't drop the keys of partitions alone, says so, and goes on.
                _ = try await run("pg_restore", ["--clean", "--if-exists"] + database)
            case .dataOnly:
                let tables = try await bench.pool.query(
                    """
                    SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'
                    """)
                let names: String = try tables[0][0]
                // A worker that goes on may lock them in another order.
                try await bench.until {
                    do {
                        try await bench.pool.execute("TRUNCATE \(unescaped: names)")
                        return true
                    } catch let error as PostgresError where error.sqlState == "40P01" {
                        return false
                    }
                }
                #expect(try await run("pg_restore", ["--data-only", "--disable-triggers"] + database) == 0)
            case .batches:
                try await bench.pool.execute("DROP TABLE batches CASCADE")
                _ = try await run("pg_restore", ["-t", "batches"] + database)
            }
        }

        private static func run(_ program: String, _ arguments: String...) async throws -> Int32 {
            try await run(program, arguments)
        }

        private static func run(_ program: String, _ arguments: [String]) async throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [program] + arguments
            process.standardError = FileHandle.nullDevice
            return try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        }
    }
}

extension DispatcherFixture {
    /// A batch of the run that is due in an hour.
    fileprivate func addLaterBatch(of run: Run.ID, devices: ClosedRange<Int64>) async throws {
        try await pool.execute(
            """
            INSERT INTO batches (run_id, app_id, planned_after, due_at, environment, first_id, last_id, size, pending, state,
                outcomes, recipients)
            VALUES (\(run), \(app), 0, now() + interval '1 hour', 0, \(devices.lowerBound), \(devices.upperBound),
                \(Int32(devices.count)), \(Int32(devices.count)), 'ready',
                \([UInt8](repeating: 0, count: devices.count)), \(Array(devices)))
            """)
    }
}
