import Foundation
import JSON
import Postgres
import Store
import TestSupport
import Testing

@testable import Belfry

struct ChecksumsTests {
    private static let digest = String(repeating: "0a", count: 32)

    @Test func listIsReadAsItWasWritten() throws {
        var checksums = Checksums()
        checksums["b c"] = Self.digest
        checksums["a/1"] = Self.digest
        #expect(checksums.text == "\(Self.digest)  a/1\n\(Self.digest)  b c\n")
        #expect(try Checksums(reading: checksums.text) == checksums)
    }

    @Test(arguments: ["../x", "/etc/passwd", "a//b", "a/./b", "a/..", ""])
    func pathThatLeadsOutOfTheDirectoryIsRefused(_ path: String) {
        #expect(throws: CommandFailure.self) { try Checksums(reading: "\(Self.digest)  \(path)\n") }
    }

    @Test(arguments: ["0a  x", "\(digest) x", "\(digest)"])
    func lineOfAnotherFormIsRefused(_ line: String) {
        #expect(throws: CommandFailure.self) { try Checksums(reading: line) }
    }

    @Test func manifestIsReadAsItWasWrittenAndThatOfALaterFormatIsRefused() throws {
        let manifest = BackupManifest(
            program: "0.1.0", time: "2026-11-28T08:00:00Z", schema: 13, oldestProgram: 12, database: "belfry",
            databaseSize: 1_000, serverVersion: "15.14", majorVersion: 15, sealingKeys: ["0a"],
            credentials: [BackupStore.Credential(app: "x", keyID: "K", teamID: "T")], roles: ["bi"], mediaFiles: 2,
            openRuns: 1, tables: [BackupStore.Count(table: "apps", rows: 1)])
        #expect(try BackupManifest(reading: manifest.json.encoded()) == manifest)
        var later = manifest.json.lines()
        later.replace("\"format\": 1", with: "\"format\": 2")
        let failure = #expect(throws: CommandFailure.self) { try BackupManifest(reading: Array(later.utf8)) }
        #expect(failure?.description.contains("Use a newer belfry") == true)
        #expect(throws: CommandFailure.self) { try BackupManifest(reading: Array("{\"format\": 1}".utf8)) }
    }

    @Test func passwordIsNotInTheConnectionStringOfPrograms() throws {
        let program = try PostgresConfiguration("postgres://u:se'cret@h:1/d?application_name=it's").forPrograms()
        #expect(!program.connection.contains("cret") && program.environment == ["PGPASSWORD": "se'cret"])
        #expect(program.connection.contains(#"application_name='it\'s'"#) && program.connection.contains("host='h'"))
        #expect(throws: PostgresError.self) {
            try PostgresConfiguration("host=h sslpassword=x").forPrograms()
        }
    }

    @Test func versionIsReadFromTheAnswerOfAProgram() {
        #expect(PostgresProgram.majorVersion("pg_dump (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)") == 15)
        #expect(PostgresProgram.majorVersion("pg_restore (PostgreSQL) 18beta1") == 18)
        #expect(PostgresProgram.majorVersion("nothing") == nil)
    }
}
