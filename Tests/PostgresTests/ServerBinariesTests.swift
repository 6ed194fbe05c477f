import Testing

@testable import Postgres

struct ServerBinariesTests {
    @Test func namedDirectoryIsUsedAndNoOther() throws {
        let found = try ServerBinaries(preferring: nil, named: nil)
        #expect(try ServerBinaries(preferring: 1, named: found.directory).directory == found.directory)
        #expect(try ServerBinaries(preferring: nil, named: "").directory == found.directory)

        let refusal = #expect(throws: LocalClusterError.serverMissingIn("/usr/share")) {
            try ServerBinaries(preferring: nil, named: "/usr/share")
        }
        #expect(refusal?.description.contains("BELFRY_POSTGRES_BIN is /usr/share") == true)
    }

    @Test(
        arguments: [
            ("/usr/lib/postgresql/15/bin", 15), ("/usr/pgsql-17/bin", 17), ("/opt/postgres/bin", nil),
            ("/opt/2/bin", nil),
            ("/bin", nil),
        ] as [(String, Int?)])
    func versionShowsInThePath(_ path: String, _ version: Int?) {
        #expect(ServerBinaries.version(path) == version)
    }
}
