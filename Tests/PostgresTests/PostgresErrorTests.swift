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

    @Test(
        arguments: [
            ("53100", true), ("53200", true), ("57P03", true), ("08006", true), ("58P01", true), ("58030", true),
            ("57014", false), ("42601", false), ("23505", false), ("XX000", false),
        ])
    func fullDiskAndAbsentServerAreUnavailable(_ code: String, _ expected: Bool) {
        #expect(PostgresError(.server, "x", sqlState: code).isUnavailable == expected)
    }

    /// Codes and messages of sessions that were opened after the server's package was updated.
    @Test(
        arguments: [
            ("58P01", #"could not access file "$libdir/plpgsql": No such file or directory"#),
            (
                "XX000",
                #"could not load library "/lib/plpgsql.so": /lib/plpgsql.so: undefined symbol: MakeTupleTableSlot"#
            ),
            ("XX000", #"incompatible library "/lib/plpgsql.so": version mismatch"#),
            ("42883", #"could not find function "plpgsql_inline_handler" in file "/lib/plpgsql.so""#),
        ])
    func replacedLibraryIsAnOutage(_ code: String, _ message: String) {
        #expect(PostgresError(.server, message, sqlState: code).isUnavailable)
    }
}
