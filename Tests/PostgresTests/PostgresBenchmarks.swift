import EventLoop
import Glibc
import Postgres
import TestSupport
import Testing

/// Benchmarks, printed when BELFRY_MEASURE is set. They are meaningful only in a release build.
@Suite(.enabled(if: getenv("BELFRY_MEASURE") != nil), .serialized) struct PostgresBenchmarks {
    @Test func simpleQueries() async throws {
        try await withConnection { connection, configuration in
            for round in 1...3 {
                let count = 20_000
                let (start, cpu) = (MonotonicTime.now(), connection.loop.processorTime())
                for number in 0..<count { _ = try await connection.query("SELECT \(number)")[0][0, as: Int.self] }
                report("query, one at a time \(round)", count, connection.loop, start, cpu)
            }
            let pool = PostgresPool(configuration, on: connection.loop, logger: quiet)
            for round in 1...2 {
                let (start, cpu) = (MonotonicTime.now(), connection.loop.processorTime())
                for number in 0..<20_000 { _ = try await pool.query("SELECT \(number)")[0][0, as: Int.self] }
                report("query, one at a time through the pool \(round)", 20_000, connection.loop, start, cpu)
            }
            await pool.close()
            let count = 20_000
            let (start, cpu) = (MonotonicTime.now(), connection.loop.processorTime())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        for number in 0..<count / 20 {
                            _ = try await connection.query("SELECT \(number)")[0][0, as: Int.self]
                        }
                    }
                }
                try await group.waitForAll()
            }
            report("query, 20 overlapping", count, connection.loop, start, cpu)
        }
    }

    @Test func aMillionRows() async throws {
        try await withConnection { connection, _ in
            try await connection.execute(
                "CREATE TABLE ids AS SELECT n AS id FROM generate_series(1, 1000000::bigint) n")
            try await connection.execute("CREATE UNIQUE INDEX ON ids (id)")
            try await connection.execute("VACUUM ANALYZE ids")
            for _ in 0..<2 {
                let (start, cpu) = (MonotonicTime.now(), connection.loop.processorTime())
                var (last, sum): (Int64, Int64) = (0, 0)
                while true {
                    let rows = try await connection.query(
                        "SELECT id FROM ids WHERE id > \(last) ORDER BY id LIMIT \(5_000)")
                    guard !rows.isEmpty else { break }
                    for row in rows {
                        last = try row[0, as: Int64.self]
                        sum += last
                    }
                }
                #expect(sum == 500_000_500_000)
                report("bigint row, by 5,000", 1_000_000, connection.loop, start, cpu)
            }
            let memory = UnsafeMutableBufferPointer<Int64>.allocate(capacity: 5_000)
            defer { memory.deallocate() }
            let (start, cpu) = (MonotonicTime.now(), connection.loop.processorTime())
            for batch in 0..<200 {
                let first = batch * 5_000
                let rows = try await connection.query(
                    "SELECT array_agg(id) FROM ids WHERE id > \(first) AND id <= \(first + 5_000)")
                #expect(try rows.copyInt64Array(row: 0, column: 0, into: memory) == 5_000)
            }
            report("bigint[] element, by 5,000", 1_000_000, connection.loop, start, cpu)
        }
    }

    private func report(_ what: String, _ count: Int, _ loop: EventLoop, _ start: MonotonicTime, _ cpu: Duration) {
        let wall = (MonotonicTime.now() - start).seconds
        let used = (loop.processorTime() - cpu).seconds
        print("\(what): \(Int(Double(count) / wall))/s, \(used / Double(count) * 1e6) µs CPU each, \(wall) s")
    }
}
