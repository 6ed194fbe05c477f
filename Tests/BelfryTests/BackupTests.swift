import EventLoop
import Foundation
import HTTPTypes
import JSON
import Logging
import Postgres
import Store
import TLS
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry backup` and `belfry restore` with a running `belfry serve`.
    @Suite struct BackupTests {
        /// What a ledger says: each batch with its outcomes, and each run with its sums.
        private static let ledger: PostgresQuery = """
            SELECT md5(string_agg(b::text, ';' ORDER BY b.run_id, b.id)) || (SELECT string_agg(r::text, ';') FROM runs r)
            FROM batches b
            """

        private static func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.posixPermissions] as? Int)
        }

        @Test func backupThatWasKilledHasNoFinalNameAndTheNextOneReplacesIt() async throws {
            try await ScratchFolder.with { folder in
                try await BackupFixture.with(in: folder) { fixture in
                    let loop = fixture.server.loop
                    var patient = fixture.server.database
                    patient.idleInTransactionTimeout = .seconds(600)
                    let database = patient
                    try await withTaskExecutorPreference(loop) {
                        let holder = try await PostgresConnection.connect(
                            database, on: loop, logger: Logger(label: "test"))
                        try await holder.transaction { holder in
                            // pg_dump waits for this table.
                            try await holder.execute("LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE")
                            let first = try await fixture.server.command(["backup", fixture.backup])
                            let waiting: PostgresQuery = """
                                SELECT count(*)::text FROM pg_stat_activity
                                WHERE application_name = 'belfry pg_dump' AND wait_event_type = 'Lock'
                                """
                            try await fixture.wait(for: ["1"], to: waiting, in: fixture.server.database)
                            let second = try await fixture.belfry(["backup", fixture.backup])
                            #expect(second.status == 1 && second.output.contains("Another backup"), "\(second)")
                            first.send(SIGKILL)
                            _ = try await first.ending()
                            #expect(try FileTree.names(in: "\(folder.path)/backups") == ["monday.incomplete"])
                            // pg_dump ends with it; its session goes on to wait.
                            while Self.isNamedByAProcess(fixture.backup) {
                                try await Task.sleep(for: .milliseconds(50))
                            }
                        }
                        await holder.close()
                    }
                    let verified = try await fixture.belfry(["backup", "--verify", "\(fixture.backup).incomplete"])
                    #expect(verified.status == 1 && verified.output.contains("this is no complete backup"))
                    try await fixture.backUp()
                    #expect(try FileTree.names(in: "\(folder.path)/backups") == ["monday"])

                    let again = try await fixture.belfry(["backup", fixture.backup])
                    #expect(again.status == 1 && again.output.contains("exists and is not empty"))
                }
            }
        }

        /// Whether a running process has the path on its command line.
        private static func isNamedByAProcess(_ path: String) -> Bool {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.contains { id in
                let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
                return Int(id) != nil && line.range(of: Data(path.utf8)) != nil
            }
        }

        @Test func restoredDatabaseHasTheSameLedgerAndMediaAndNeedsTheSameKey() async throws {
            try await ScratchFolder.with { folder in
                let media = folder.appending(path: "media").path
                let apple = try await SimulatedApple(in: folder)
                try await BackupFixture.with(
                    serve: apple.serve + ["--media-directory", media], app: apple.credential,
                    environment: ["BELFRY_MEDIA_DIRECTORY": media], in: folder
                ) { fixture in
                    _ = try await fixture.server.sendCampaign(toDevices: 5)
                    let file = "ab/ab\(String(repeating: "0", count: 62))-1"
                    try TextFile.write("an image", to: "\(media)/\(file)")
                    let made = try await fixture.belfry(["backup", fixture.backup], ["BELFRY_MEDIA_DIRECTORY": media])
                    #expect(made.status == 0, "\(made.output)")

                    let manifest = try BackupManifest(reading: TextFile.bytes("\(fixture.backup)/manifest.json"))
                    #expect(manifest.mediaFiles == 1 && manifest.database == "belfry")
                    #expect(manifest.tables.contains { $0.table == "devices" && $0.rows == 5 })
                    #expect(manifest.credentials.map(\.keyID) == [Simulate.keyID])
                    let key = try await fixture.server.command(["sealing-key", "list"]).ending().output
                        .split(separator: "\n")[1].split(separator: " ")[0]
                    #expect(manifest.sealingKeys == [String(key)])
                    // No key, and for nobody else.
                    let secret = try TextFile.read("\(folder.path)/var/sealing.key").trimmed
                    for path in try FileTree.files(in: fixture.backup).map({ "\(fixture.backup)/\($0)" }) {
                        #expect(try Self.mode(path) == 0o600, "\(path)")
                        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(secret.utf8)) == nil)
                    }
                    for path in try FileTree.directories(in: fixture.backup) {
                        #expect(try Self.mode(path) == 0o700)
                    }
                    #expect(try await fixture.verify().status == 0)

                    let unplaced = try await fixture.restore()
                    #expect(unplaced.status == 1 && unplaced.output.contains("Set BELFRY_MEDIA_DIRECTORY"))
                    let target = folder.appending(path: "other-media").path
                    let restored = try await fixture.restore(["--media-directory", target])
                    #expect(restored.status == 0, "\(restored.output)")
                    #expect(restored.output.contains("sealing key \(key): var/sealing.key has what is needed."))
                    #expect(try TextFile.read("\(target)/\(file)") == "an image")
                    let (old, new) = (fixture.server.database, fixture.other)
                    #expect(
                        try await fixture.rows(Self.ledger, in: old) == fixture.rows(Self.ledger, in: new))
                    // The views for analysts are closed to everybody else, as by the migrations.
                    let open: PostgresQuery = """
                        SELECT count(*)::text FROM pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a
                        WHERE pronamespace = 'bi'::regnamespace AND a.grantee = 0
                        """
                    #expect(try await fixture.rows(open, in: new) == ["0"])
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        @Test func runThatWasOpenAsksAfterTheRestoreAndNothingIsSentBefore() async throws {
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                try await BackupFixture.with(serve: apple.serve, app: apple.credential, in: folder) { fixture in
                    let server = fixture.server
                    for number in 0..<30 {
                        _ = try await server.send(
                            .put, "/devices/d\(number)",
                            [
                                "token": .string("\(number)".padded(to: 64).replacing(" ", with: "a")),
                                "environment": "production",
                            ])
                    }
                    let campaign = try await server.send(
                        .post, "/campaigns",
                        ["name": "N", "payload": ["aps": ["alert": "Hello"]], "pushes_per_second": 1])
                    let id = try #require(campaign["id"]?.text)
                    _ = try await server.send(.post, "/campaigns/\(id)/start", nil)
                    try await fixture.backUp()
                    #expect(try TextFile.read("\(fixture.backup)/manifest.json").contains("\"open_runs\": 1"))
                    server.process.send(SIGTERM)
                    _ = try await server.process.ending()
                    let before = try await Self.pushes(apple, fixture)

                    let restored = try await fixture.restore()
                    #expect(restored.status == 0, "\(restored.output)")
                    #expect(restored.output.contains("One run was open. It is paused, and asks whether to go on"))
                    let second = try await fixture.serveRestored(apple.serve)
                    try await fixture.wait(for: ["paused"], to: "SELECT state FROM runs", in: fixture.other)
                    let reason = try await fixture.rows("SELECT reason FROM runs", in: fixture.other)
                    #expect(reason.first?.contains("restored from a backup") == true)
                    #expect(try await Self.pushes(apple, fixture) == before)
                    second.send(SIGTERM)
                    _ = try await second.ending()
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        /// The number of pushes that arrived.
        private static func pushes(_ apple: SimulatedApple, _ fixture: BackupFixture) async throws -> Int {
            let client = try APIClient(
                url: apple.inspection, trust: .systemRoots, key: "", on: fixture.server.loop)
            let answer = try await withTaskExecutorPreference(fixture.server.loop) {
                let answer = try await client.send(.get, "/pushes", nil)
                await client.close()
                return answer
            }
            return try #require(answer["last"]?.int)
        }

        @Test func changedMissingAndAddedFilesAreFoundAndNotRestored() async throws {
            try await ScratchFolder.with { folder in
                try await BackupFixture.with(in: folder) { fixture in
                    try await fixture.backUp()
                    let files = try FileTree.files(in: fixture.backup)
                    for name in ["manifest.json", "SHA256SUMS", "database/toc.dat", try #require(files.first)] {
                        let path = "\(fixture.backup)/\(name)"
                        let bytes = try TextFile.bytes(path)
                        var changed = bytes
                        changed[bytes.count / 2] ^= 1
                        try Data(changed).write(to: URL(filePath: path))
                        let found = try await fixture.verify()
                        #expect(found.status == 1 && found.output.contains("The backup is damaged"), "\(found)")
                        let restored = try await fixture.restore()
                        #expect(restored.status == 1 && restored.output.contains("nothing was restored"))
                        try Data(bytes).write(to: URL(filePath: path))
                    }
                    let toc = "\(fixture.backup)/database/toc.dat"
                    try FileManager.default.moveItem(atPath: toc, toPath: "\(toc).moved")
                    let moved = try await fixture.verify()
                    #expect(moved.output.contains("the file database/toc.dat is missing"))
                    #expect(moved.output.contains("the file database/toc.dat.moved is not in SHA256SUMS"))
                    let json = try await fixture.server.command(["backup", "--verify", "--json", fixture.backup])
                        .ending()
                    #expect(try JSON(parsing: json.output)["status"] == "damaged" && json.status == 1)
                    let none = try await fixture.belfry(["backup", "--verify", "\(fixture.backup)-2"])
                    #expect(none.status == 2 && none.output.contains("There is no directory"))
                }
            }
        }

        @Test func databaseThatIsNotEmptyIsReplacedOnlyByOrder() async throws {
            try await ScratchFolder.with { folder in
                try await BackupFixture.with(in: folder) { fixture in
                    try await fixture.backUp()
                    // As a restore leaves it that was broken off: no Belfry starts with it.
                    try await fixture.execute(["CREATE TABLE schema_migrations (number int)"], in: fixture.other)
                    let half = try await fixture.restore()
                    #expect(half.status == 1 && half.output.contains("what a restore left that did not end"))
                    #expect(half.output.contains("--replace"))
                    #expect(try await fixture.restore(["--replace"]).status == 0)
                    let full = try await fixture.restore()
                    #expect(full.status == 1 && full.output.contains("is not empty"))

                    let used = try await fixture.belfry(["restore", fixture.backup, "--replace"])
                    #expect(used.status == 1 && used.output.contains("is used by belfry serve"), "\(used)")
                    #expect(try await fixture.restore(["--replace", "--jobs", "1"]).status == 0)

                    let unnamed = try await fixture.belfry(["restore", fixture.backup], ["DATABASE_URL": ""])
                    #expect(unnamed.status == 1 && unnamed.output.contains("--private-database"))
                }
            }
        }

        @Test func newerSchemaLackOfSpaceAndOtherSealingKeyAreRefusedInWords() async throws {
            try await ScratchFolder.with { folder in
                try await BackupFixture.with(in: folder) { fixture in
                    let old = fixture.server.database
                    try await fixture.execute(
                        ["UPDATE schema_migrations SET oldest_program = 900 WHERE number = 1"], in: old)
                    let newer = try await fixture.belfry(["backup", fixture.backup])
                    #expect(newer.status == 1 && newer.output.contains("which this program does not know"))
                    try await fixture.execute(
                        ["UPDATE schema_migrations SET oldest_program = 1 WHERE number = 1"], in: old)
                    try await fixture.backUp()
                    let manifest = "\(fixture.backup)/manifest.json"
                    let text = try TextFile.read(manifest)
                    try Self.change(text.replacing("\"oldest_program\": ", with: "\"oldest_program\": 9"), in: fixture)
                    let refused = try await fixture.restore()
                    #expect(refused.status == 1 && refused.output.contains("or a newer one"), "\(refused)")
                    let major = "\"postgresql_major\": "
                    try Self.change(text.replacing(major, with: major + "9"), in: fixture)
                    let unknown = try await fixture.restore()
                    #expect(unknown.status == 1 && unknown.output.contains("PostgreSQL 9"), "\(unknown)")
                    try Self.change(text.replacing("\"bytes\": ", with: "\"bytes\": 90000000000"), in: fixture)
                    let large = try await fixture.belfry(
                        ["restore", fixture.backup, "--private-database", "--state", folder.appending(path: "s").path],
                        ["DATABASE_URL": ""])
                    #expect(large.status == 1 && large.output.contains("Nothing was restored: the database needs"))
                    try Self.change(text, in: fixture)
                    let key = String(repeating: "0c", count: 32)
                    let restored = try await fixture.belfry(
                        ["restore", fixture.backup], ["DATABASE_URL": fixture.otherURL, "BELFRY_SEALING_KEY": key])
                    #expect(restored.status == 0 && restored.output.contains("BELFRY_SEALING_KEY lacks"))
                    let start = try await fixture.serveRestored([], ["BELFRY_SEALING_KEY": key]).ending()
                    #expect(start.status == 1 && start.output.contains("were sealed with the sealing key"))
                }
            }
        }

        /// Replaces the manifest, with a checksum that fits.
        private static func change(_ manifest: String, in fixture: BackupFixture) throws {
            try TextFile.write(manifest, to: "\(fixture.backup)/manifest.json")
            let list = "\(fixture.backup)/SHA256SUMS"
            var checksums = try Checksums(reading: TextFile.read(list))
            checksums["manifest.json"] = try Checksums.digest(of: "\(fixture.backup)/manifest.json")
            try TextFile.write(checksums.text, to: list)
        }
    }
}
