import FoundationEssentials
import Postgres
import TestSupport
import Testing

@Suite struct PostgresCodableTests {
    @Test func everyTypeComesBackAsItWasSent() async throws {
        try await withConnection { connection, _ in
            func check<Value: PostgresEncodable & PostgresDecodable & Equatable>(
                _ values: [Value], _ type: String
            ) async throws {
                for value in values {
                    let rows = try await connection.query(
                        "SELECT \(value)::\(unescaped: type), NULL::\(unescaped: type)")
                    #expect(try rows.value(0, Value.self) == value)
                    #expect(try rows.value(1, Value?.self) == nil)
                    let echoed = try await connection.query("SELECT \(Optional(value)), \(Value?.none)")
                    #expect(try echoed.value(0, Value?.self) == value)
                    #expect(try echoed.value(1, Value?.self) == nil)
                }
            }
            try await check([true, false], "bool")
            try await check([Int16.min, -1, 0, .max], "int2")
            try await check([Int32.min, -1, 0, .max], "int4")
            try await check([Int64.min, -1, 0, .max], "int8")
            try await check([Int.min, -1, 0, .max], "int8")
            try await check([-0.5, 0, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude], "float8")
            try await check(["", "a", "it's $1", "日本語 🎏", String(repeating: "x", count: 100_000)], "text")
            try await check([[], [0], Array(0...255)] as [[UInt8]], "bytea")
            try await check([UUID(), UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))], "uuid")
            try await check(
                [
                    Timestamp(microseconds: 0), Timestamp(microseconds: -1), .now, .distantPast, .distantFuture,
                    Timestamp(microseconds: 253_402_300_799_999_999),
                ], "timestamptz")
            try await check([JSONText("[]"), JSONText("{\"a\": \"ü\"}")], "jsonb")
            try await check([[], [Int64.min, 0, .max], Array(0..<5_000)] as [[Int64]], "bigint[]")
            try await check([[], [Int32.min, 0, .max]] as [[Int32]], "int[]")
            try await check([[], [Int16.min, 0, .max]] as [[Int16]], "int2[]")
            try await check([[], [1, 2]] as [[Int]], "bigint[]")
            try await check([[], ["", "NULL", "a,\"b\""]] as [[String]], "text[]")
            try await check([[], [true, false]] as [[Bool]], "bool[]")
            try await check([[], [[], [0, 255]]] as [[[UInt8]]], "bytea[]")
            try await check([[], [Timestamp(microseconds: 1), .now]] as [[Timestamp]], "timestamptz[]")
            try await check([[nil, 1, nil], [], [nil]] as [[Int64?]], "bigint[]")
            try await check([["a", nil]] as [[String?]], "text[]")
            try await check([[nil, []]] as [[[UInt8]?]], "bytea[]")
        }
    }

    @Test func microsecondsCountFrom1970() async throws {
        try await withConnection { connection, _ in
            let time = try await connection.query("SELECT '2026-02-03 04:05:06.789012Z'::timestamptz")
            #expect(try time.value(0, Timestamp.self).microseconds == 1_770_091_506_789_012)
        }
    }

    @Test func narrowerColumnsAreRead() async throws {
        try await withConnection { connection, _ in
            let row = try await connection.query("SELECT 1::int2, 2::int4, 3::float4, 'a'::varchar, '[1]'::json")[0]
            #expect(try row.value(0, Int.self) == 1)
            #expect(try row.value(1, Int64.self) == 2)
            #expect(try row.value(2, Double.self) == 3)
            #expect(try row.value(3, String.self) == "a")
            #expect(try row.value(4, JSONText.self) == JSONText("[1]"))
        }
    }

    @Test func wrongColumnTypeNamesColumnTypeAndRow() async throws {
        try await withConnection { connection, _ in
            let rows = try await connection.query("SELECT sum(n) AS total FROM generate_series(1, 3::bigint) n")
            let error = await postgresError { _ = try rows[0]["total", as: Int64.self] }
            #expect(error?.kind == .decode)
            #expect(error?.column == "total")
            #expect(error?.message == "column \"total\" of row 0 is numeric; requested Int64")
            let null = try await connection.query("SELECT NULL::int8 AS n")
            #expect(await postgresError { _ = try null.value(0, Int64.self) }?.message.contains("is NULL") == true)
            #expect(await postgresError { _ = try null[0]["m", as: Int64?.self] }?.kind == .decode)
        }
    }

    @Test func bigintArraysGoIntoRawMemoryWithoutADetour() async throws {
        try await withConnection { connection, _ in
            let rows = try await connection.query(
                "SELECT array_agg(n), '{1,NULL}'::bigint[], '{}'::bigint[], 'x'::bytea FROM generate_series(1, 5000::bigint) n"
            )
            let memory = UnsafeMutableBufferPointer<Int64>.allocate(capacity: 5_000)
            defer { memory.deallocate() }
            #expect(try rows.arrayCount(row: 0, column: 0) == 5_000)
            #expect(try rows.copyInt64Array(row: 0, column: 0, into: memory) == 5_000)
            #expect(memory.elementsEqual(1...5_000))
            #expect(try rows.copyInt64Array(row: 0, column: 2, into: memory) == 0)
            #expect(throws: PostgresError.self) { try rows.copyInt64Array(row: 0, column: 1, into: memory) }
            let short = UnsafeMutableBufferPointer(rebasing: memory[..<4_999])
            #expect(throws: PostgresError.self) { try rows.copyInt64Array(row: 0, column: 0, into: short) }
            #expect(rows.withBytes(row: 0, column: 3) { $0?.elementsEqual([120]) } == true)
        }
    }

    @Test func partsOfAStatementKeepTheirParameters() async throws {
        try await withConnection { connection, _ in
            let part: PostgresQuery = "\(2) + \(Int?.none) IS NULL AND \("a") = 'a'"
            let query: PostgresQuery = "SELECT \(1) = 1 AND \(part) AND \([UInt8]()) = ''::bytea AND " + part
            #expect(query.parameterCount == 8)
            let found = try await connection.query(query).value(0, Bool.self)
            #expect(found)
        }
    }
}
