import Foundation
import TestSupport
import Testing

@testable import PrivatePostgres

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

    @Test(
        arguments: [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 15), ("postgres (PostgreSQL) 19devel\n", 19),
            ("no such file", nil), ("(PostgreSQL) ", nil),
        ] as [(String, Int?)])
    func versionShowsInTheAnswer(_ answer: String, _ version: Int?) {
        #expect(ServerBinaries.version(answer: answer) == version)
    }

    @Test func programInAFolderWithoutAVersionIsAsked() async throws {
        let found = try ServerBinaries(preferring: nil, named: nil)
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-programs-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = folder.appending(path: "programs").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: found.directory)
        let linked = try ServerBinaries(preferring: nil, named: link)
        #expect(ServerBinaries.version(linked.directory) == nil)
        try await TestLoop.run { loop in
            let version = try await linked.majorVersion(
                as: ServerAccount(), file: folder.appending(path: "answer").path(), on: loop)
            #expect(version != nil)
            if let shown = ServerBinaries.version(found.directory) { #expect(version == shown) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["programs"])
        try FileManager.default.removeItem(at: folder)
    }
}
