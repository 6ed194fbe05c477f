import Postgres
import Testing

struct PostgresErrorTests {
    @Test func statementIsShownOnOneLineAndCut() {
        let error = PostgresError(
            .server, "no space left on device", sqlState: "53100", sql: "SELECT\n    1,\n    2\nFROM t")
        #expect("\(error)" == "PostgreSQL: no space left on device (53100); in: SELECT 1, 2 FROM t")
        let long = PostgresError(.server, "x", sql: String(repeating: "SELECT ", count: 1_000))
        #expect("\(long)".count < 350 && "\(long)".hasSuffix("…"))
    }

    @Test(arguments: [("53100", true), ("57P03", true), ("08006", true), ("42601", false), ("23505", false)])
    func fullDiskAndAbsentServerAreUnavailable(_ code: String, _ expected: Bool) {
        #expect(PostgresError(.server, "x", sqlState: code).isUnavailable == expected)
    }
}
