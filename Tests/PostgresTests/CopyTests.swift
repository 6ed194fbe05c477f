import Postgres
import TestSupport
import Testing

@Suite struct CopyTests {
    struct GaveUp: Error {}

    @Test func hundredThousandRowsGoInAndOut() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (id bigint, n int, name text, raw bytea, ids bigint[])")
            let count = try await connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                for id in Int64(0)..<100_000 {
                    try await writer.row { row in
                        row.write(id)
                        row.write(Int32(id % 7))
                        row.write(id % 3 == 0 ? nil : "name \(id)")
                        row.write([UInt8(truncatingIfNeeded: id)])
                        row.write([id, -id])
                    }
                }
            }
            #expect(count == 100_000)
            #expect(try await connection.query("SELECT sum(id)::bigint FROM t").value(0, Int.self) == 4_999_950_000)
            var next: Int64 = 0
            try await connection.copyOut("COPY (SELECT * FROM t ORDER BY id) TO STDOUT (FORMAT binary)") { reader in
                while let row = try await reader.next() {
                    let id = try row[0, as: Int64.self]
                    guard id == next, try row[2, as: String?.self] == (id % 3 == 0 ? nil : "name \(id)"),
                        try row[4, as: [Int64].self] == [id, -id], row.count == 5
                    else { throw GaveUp() }
                    next += 1
                }
            }
            #expect(next == 100_000)
            #expect(await connection.isIdle)
        }
    }

    @Test func writerThatThrowsStoresNothing() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (id bigint)")
            await #expect(throws: GaveUp.self) {
                try await connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                    for id in Int64(0)..<20_000 { try await writer.row { $0.write(id) } }
                    throw GaveUp()
                }
            }
            #expect(try await connection.query("SELECT FROM t").isEmpty)
        }
    }

    @Test func serverThatRefusesARowSaysSo() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (id bigint CONSTRAINT positive CHECK (id > 0))")
            let error = await postgresError {
                try await connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                    for id in (Int64(-1)..<200_000).reversed() { try await writer.row { $0.write(id) } }
                }
            }
            #expect(error?.constraint == "positive")
            let missing = await postgresError { try await connection.copyIn("COPY nothing FROM STDIN") { _ in } }
            #expect(missing?.sqlState == "42P01")
            let misuse = await postgresError { try await connection.copyIn("SELECT 1") { _ in } }
            #expect(misuse?.kind == .misuse)
            #expect(try await connection.query("SELECT 1").count == 1)
        }
    }

    @Test func textFormatIsPassedThrough() async throws {
        try await withConnection { connection, _ in
            try await connection.execute("CREATE TABLE t (a int, b text)")
            try await connection.copyIn("COPY t FROM STDIN (FORMAT csv)") { writer in
                for byte in "1,\"x, y\"\n2,z\n".utf8 { try await writer.bytes([byte]) }
            }
            let text = try await connection.copyOut("COPY t TO STDOUT (FORMAT csv)") { reader in
                var text = ""
                while let bytes = try await reader.nextBytes() { text += String(decoding: bytes, as: UTF8.self) }
                return text
            }
            #expect(text == "1,\"x, y\"\n2,z\n")
        }
    }

    @Test func readerThatLeavesEarlyStopsTheServer() async throws {
        try await withConnection { connection, _ in
            let first = try await connection.copyOut(
                "COPY (SELECT n FROM generate_series(1, 50000000::bigint) n) TO STDOUT (FORMAT binary)"
            ) { try await $0.next()?[0, as: Int64.self] }
            #expect(first == 1)
            #expect(try await connection.query("SELECT 1").count == 1)
            #expect(await connection.isIdle)
        }
    }

    @Test func copyInAnOrdinaryQueryIsRefused() async throws {
        try await withConnection { connection, _ in
            #expect(await postgresError { _ = try await connection.query("COPY pg_am TO STDOUT") } != nil)
        }
    }
}
