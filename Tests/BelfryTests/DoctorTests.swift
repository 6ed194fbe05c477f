import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry doctor` with a database and a simulator: what is in place, and what is not.
    @Suite struct DoctorTests {
        @Test func everythingIsOkBesideAServer() async throws {
            try await DoctorFixture.with { fixture in
                let certificate = try fixture.certificate(days: 90)
                let media = fixture.folder.appending(path: "media").path
                try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
                let flags = certificate + ["--media-directory", media]
                let report = try await fixture.doctor(flags)
                // How full this machine's disk is, and how many files it allows, is not the product's matter.
                let others = report.findings.filter { !["space", "media", "state", "open files"].contains($0.check) }
                #expect(others.allSatisfy { $0.level == "ok" }, "\(others)")
                #expect(report.text("key SIMULATOR1") == "com.example.x, production: accepted by localhost")
                #expect(report.text("migrations")?.contains("are applied") == true)
                #expect(report.text("partitions") == "2 are ready for the weeks to come")

                let text = try await fixture.run(flags)
                #expect(text.status == report.status && text.output.contains("\nDatabase\n".dropFirst()))
                #expect(text.output.contains("of \(report.findings.count) checks are ok"))
            }
        }

        @Test func nothingIsWritten() async throws {
            try await DoctorFixture.with { fixture in
                let before = try await fixture.rows()
                _ = try await fixture.doctor()
                #expect(try await fixture.rows() == before)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: fixture.state.path).sorted() == ["sealing.key"])
            }
        }

        @Test func pendingMigrationIsNamed() async throws {
            try await DoctorFixture.with { fixture in
                try await fixture.execute(
                    "DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)")
                let report = try await fixture.doctor()
                #expect(report.status == 0 && report.level("migrations") == "warning")
                #expect(report.text("migrations")?.hasPrefix("one is pending: ") == true)
                #expect(report.level("sealed secrets") == "skipped" && report.level("keys") == "skipped")

                try await fixture.execute("UPDATE schema_migrations SET checksum = 'other' WHERE number = 1")
                let other = try await fixture.doctor()
                #expect(other.status == 1 && other.level("migrations") == "error")
                #expect(other.text("migrations")?.contains("made by another build") == true)
            }
        }

        @Test func missingPartitionsAreAnError() async throws {
            try await DoctorFixture.with { fixture in
                try await fixture.execute("DELETE FROM message_ranges WHERE first_number > 0 AND opened_at IS NULL")
                #expect(try await fixture.doctor().level("partitions") == "warning")
                try await fixture.execute("DELETE FROM message_ranges")
                let report = try await fixture.doctor()
                #expect(report.status == 1 && report.level("partitions") == "error")
            }
        }

        @Test func sealingKeysThatDoNotFitAreAnError() async throws {
            try await DoctorFixture.with { fixture in
                let file = fixture.state.appending(path: "sealing.key").path
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                let readable = try await fixture.doctor()
                #expect(readable.status == 1 && readable.level("sealing key") == "error")
                #expect(readable.text("sealing key")?.contains("chmod 600 var/sealing.key") == true)

                let other = try await fixture.doctor(environment: [
                    "BELFRY_SEALING_KEY": String(repeating: "0b", count: 32)
                ])
                #expect(other.status == 1 && other.level("sealed secrets") == "error")
                #expect(other.level("keys") == "skipped")

                try FileManager.default.removeItem(atPath: file)
                let missing = try await fixture.doctor()
                #expect(missing.status == 1 && missing.level("sealing key") == "error")
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }

        @Test func keyThatAppleRefusesIsAnErrorWithWhatToDo() async throws {
            try await DoctorFixture.with { fixture in
                // The simulator's key under another team's name.
                try await fixture.addApp(teamID: "OTHERTEAM1")
                let report = try await fixture.doctor()
                let refused = report.findings.filter { $0.check == "key SIMULATOR1" && $0.level == "error" }
                #expect(report.status == 1 && !refused.isEmpty)
                #expect(
                    refused.contains { $0.message.contains("production: InvalidProviderToken. ") && $0.remedy != nil })
            }
        }

        @Test func unreachableHostsAreAnErrorWithinTheLimit() async throws {
            try await DoctorFixture.with { fixture in
                let loop = try EventLoop(name: "silent")
                defer { loop.stop() }
                let (silent, port) = try await withTaskExecutorPreference(loop) {
                    let listener = try await SilentListener(on: loop)
                    return (listener, try #require(listener.address.port))
                }
                let started = MonotonicTime.now()
                let report = try await fixture.doctor(
                    apns: ["--apns-host", "127.0.0.1", "--apns-port", "\(port)"],
                    environment: ["DATABASE_URL": "postgres://belfry@127.0.0.1:\(port)/belfry"])
                // 15 s, and more on a busy machine.
                #expect((MonotonicTime.now() - started).seconds < 60)
                silent.close()
                #expect(report.status == 1 && report.level("host") == "error" && report.level("server") == "error")
                #expect(report.findings.count { $0.level == "skipped" } >= 10)
                #expect(report.text("migrations") == "the database can't be used")
            }
        }

        @Test func certificateAndFilesOfTheWebServerAreChecked() async throws {
            try await DoctorFixture.with { fixture in
                let media = fixture.folder.appending(path: "media")
                try Data().write(to: media)
                let p8 = fixture.folder.appending(path: "AuthKey_ABC1234567.p8").path
                #expect(
                    FileManager.default.createFile(atPath: p8, contents: nil, attributes: [.posixPermissions: 0o644]))
                let report = try await fixture.doctor(
                    fixture.certificate(days: 5) + ["--media-directory", media.path])
                #expect(report.level("certificate") == "warning" && report.level("media") == "error")
                // Five days less the time since it was made.
                let text = try #require(report.text("certificate"))
                #expect(text.contains("expires in 4 days") || text.contains("expires in 5 days"), "\(text)")
                #expect(report.text("media")?.contains("is not a directory") == true)
                #expect(report.text("p8 files")?.contains("AuthKey_ABC1234567.p8") == true)
                #expect(report.status == 1)

                let dump = fixture.state.appending(path: "belfry.dump").path
                #expect(FileManager.default.createFile(atPath: dump, contents: nil))
                #expect(try await fixture.doctor().level("backups") == "warning")
            }
        }

        @Test func wrongSettingIsStatus2() async throws {
            try await ScratchFolder.with { folder in
                let readable = folder.appending(path: "url").path
                try "postgres://x@127.0.0.1/x".write(toFile: readable, atomically: true, encoding: .utf8)
                for environment in [["BELFRY_PROT": "80"], ["DATABASE_URL_FILE": readable]] {
                    let ending = try await BelfryProcess(
                        ["doctor"], in: folder, environment: environment, capturesErrors: true
                    ).ending()
                    #expect(ending.status == 2 && ending.output.hasPrefix("Error: "), "\(ending)")
                }
            }
        }

        @Test func ownDatabaseIsNotStarted() async throws {
            try await ScratchFolder.with { folder in
                let state = folder.appending(path: "var/postgres").path
                let none = try await Self.text(in: folder)
                #expect(none.contains("Belfry's own in var/postgres does not run"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "var").path))

                let cluster = try await LocalCluster.start(directory: state, logger: Logger(label: "test"))
                let running = try await Self.text(in: folder)
                #expect(running.contains("warning migrations the database is empty"), "\(running)")
                await cluster.stop()
                #expect(try await Self.text(in: folder).contains("Belfry's own in var/postgres does not run"))
            }
        }

        /// What the command says beside a host for pushes that refuses connections, on one line.
        private static func text(in folder: URL) async throws -> String {
            let ending = try await BelfryProcess(
                ["doctor", "--apns-host", "127.0.0.1", "--apns-port", "1"], in: folder
            ).ending()
            #expect(ending.status == 1)
            return ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}
