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
                let run = try await bench.halfDueRun()
                try await Self.withDump(of: bench.configuration) { dump in
                    let first = EventLog()
                    if hasSurvivor {
                        try await bench.withWorker(log: first) {
                            await first.wait(for: \.isDone)
                            try await Self.restore(dump, into: bench, method)
                            try await bench.expectQuestion(run, first)
                        }
                    } else {
                        try await bench.withWorker(log: first) { await first.wait(for: \.isDone) }
                        try await Self.restore(dump, into: bench, method)
                        let second = EventLog()
                        try await bench.withWorker(log: second) { try await bench.expectQuestion(run, second) }
                    }
                }
            }
        }

        // MARK: Dump and restore

        private static func withDump(
            of configuration: PostgresConfiguration, _ body: (String) async throws -> Void
        ) async throws {
            let path = "\(ScratchSpace.path)/belfry-dump-\(UUID().uuidString)"
            defer { unlink(path) }
            try await Shell.run("pg_dump", "-Fc", "-f", path, "-d", "\(configuration)")
            try await body(path)
        }

        private static func restore(_ dump: String, into bench: DispatcherFixture, _ method: Method) async throws {
            let database = ["-d", "\(bench.configuration)", dump]
            switch method {
            case .clean:
                // It can't drop the keys of partitions alone, says so, and goes on.
                _ = try await Shell.status("pg_restore", ["--clean", "--if-exists"] + database)
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
                #expect(try await Shell.status("pg_restore", ["--data-only", "--disable-triggers"] + database) == 0)
            case .batches:
                try await bench.pool.execute("DROP TABLE batches CASCADE")
                _ = try await Shell.status("pg_restore", ["-t", "batches"] + database)
            }
        }
    }
}
