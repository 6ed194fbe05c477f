import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@testable import PrivatePostgres

/// The account of the server may write to its directory, and everybody to /tmp: neither may lead root elsewhere.
@Suite(.serialized) struct ServerFileTests {
    private struct Scratch {
        let path: String
        /// The directory of a cluster that does not exist.
        var cluster: String { "\(path)/cluster" }
        /// A file or directory of root.
        var victim: String { "\(path)/victim" }

        func makeCluster() throws {
            let account = try ServerAccount()
            try account.makeDirectory(cluster)
        }

        /// Starts a cluster, which must be refused because of `path`.
        func expectRefusal(of path: String, in directory: String? = nil) async {
            let error = await #expect(throws: LocalClusterError.self) {
                _ = try await LocalCluster.start(directory: directory ?? cluster, options: options, logger: quiet)
            }
            guard case .untrusted(path, _) = error else {
                Issue.record("\(path): \(String(describing: error))")
                return
            }
        }
    }

    private static var options: LocalCluster.Options {
        var options = LocalCluster.Options()
        options.fsync = false
        options.startTimeout = .seconds(20)
        return options
    }

    private static func withScratch(_ body: (Scratch) async throws -> Void) async throws {
        let path = "\(ScratchSpace.path)/belfry-files-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(Scratch(path: path))
    }

    private static func information(_ path: String) throws -> stat {
        var information = stat()
        try #require(lstat(path, &information) == 0, "\(path)")
        return information
    }

    @Test(arguments: ["postgres.log", "owner.lock"])
    func linkIsRefusedAndItsTargetStaysAsItIs(_ name: String) async throws {
        try await Self.withScratch { scratch in
            try scratch.makeCluster()
            #expect(FileManager.default.createFile(atPath: scratch.victim, contents: Data("root's".utf8)))
            let link = "\(scratch.cluster)/\(name)"
            #expect(symlink(scratch.victim, link) == 0)

            await scratch.expectRefusal(of: link)

            #expect(FileManager.default.contents(atPath: scratch.victim) == Data("root's".utf8))
            unlink(link)
            #expect(symlink("\(scratch.path)/new", link) == 0)
            await scratch.expectRefusal(of: link)
            #expect(access("\(scratch.path)/new", F_OK) != 0)
        }
    }

    @Test func hardLinkAndFIFOAreRefused() async throws {
        try await Self.withScratch { scratch in
            try scratch.makeCluster()
            #expect(FileManager.default.createFile(atPath: scratch.victim, contents: Data("root's".utf8)))
            let lock = "\(scratch.cluster)/owner.lock"
            #expect(link(scratch.victim, lock) == 0)
            await scratch.expectRefusal(of: lock)
            unlink(lock)
            #expect(mkfifo(lock, 0o600) == 0)
            await scratch.expectRefusal(of: lock)
        }
    }

    @Test func directoryThatIsALinkKeepsItsOwner() async throws {
        try await Self.withScratch { scratch in
            try #require(geteuid() == 0)
            mkdir(scratch.victim, 0o755)
            #expect(symlink(scratch.victim, scratch.cluster) == 0)
            await scratch.expectRefusal(of: scratch.cluster)

            let long = "\(scratch.path)/\(String(repeating: "d", count: 120))"
            let socket = LocalCluster.socketDirectory(for: long)
            #expect(socket.hasPrefix("/tmp/") && symlink(scratch.victim, socket) == 0)
            defer { unlink(socket) }
            await scratch.expectRefusal(of: socket, in: long)

            let victim = try Self.information(scratch.victim)
            #expect(victim.st_uid == 0 && victim.st_mode & 0o777 == 0o755)
        }
    }

    @Test func socketDirectoryOfAnotherUserIsRefused() async throws {
        try await Self.withScratch { scratch in
            try #require(geteuid() == 0)
            let long = "\(scratch.path)/\(String(repeating: "d", count: 120))"
            let socket = LocalCluster.socketDirectory(for: long)
            mkdir(socket, 0o777)
            defer { rmdir(socket) }
            let nobody: uid_t = 65_534
            #expect(chown(socket, nobody, nobody) == 0)

            await scratch.expectRefusal(of: socket, in: long)

            #expect(try Self.information(socket).st_uid == nobody)
        }
    }

    @Test func directoryAndLogAreForTheirUsersOnlyAndTheLogIsRotated() async throws {
        try await Self.withScratch { scratch in
            var options = Self.options
            options.logLimit = 4_096
            options.settings = ["log_statement": "all"]
            let cluster = try await LocalCluster.start(directory: scratch.cluster, options: options, logger: quiet)
            let (log, previous) = ("\(scratch.cluster)/postgres.log", "\(scratch.cluster)/postgres.log.1")
            try await TestLoop.run { loop in
                let connection = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: quiet)
                var rotations: Set<ino_t> = []
                while rotations.count < 2 {
                    for _ in 0..<50 { _ = try await connection.query("SELECT 'a statement in the log'") }
                    try await loop.sleep(for: .milliseconds(20))
                    if access(previous, F_OK) == 0 { rotations.insert(try Self.information(previous).st_ino) }
                }
                await connection.close()
            }
            let text = try String(contentsOfFile: previous, encoding: .utf8)
            #expect(text.utf8.count > 4_096 && text.contains("a statement in the log"))
            for path in [log, previous] { #expect(try Self.information(path).st_mode & 0o777 == 0o600) }
            #expect(try Self.information(scratch.cluster).st_mode & 0o777 == 0o700)
            await cluster.stop()
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.cluster)
            let logs: Set = ["initdb.log", "postgres.log", "postgres.log.1"]
            #expect(Set(names) == logs.union(["data", "owner.lock", "pg_hba.conf", "pg_ident.conf"]))
        }
    }

    /// The details of an error quote the row: "Key (token)=(…) already exists".
    @Test func logDoesNotContainTheValuesOfRows() async throws {
        try await Self.withScratch { scratch in
            let cluster = try await LocalCluster.start(directory: scratch.cluster, options: Self.options, logger: quiet)
            try await TestLoop.run { loop in
                let connection = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: quiet)
                try await connection.execute("CREATE TABLE t (token text UNIQUE CHECK (token <> 'bad canary'))")
                try await connection.execute("INSERT INTO t VALUES (\("canary"))")
                for token in ["canary", "bad canary"] {
                    await #expect(throws: PostgresError.self) {
                        try await connection.execute("INSERT INTO t VALUES (\(token))")
                    }
                }
                await connection.close()
            }
            await cluster.stop()
            let log = try String(contentsOfFile: "\(scratch.cluster)/postgres.log", encoding: .utf8)
            let errors = log.split(separator: "\n").filter { !$0.contains("STATEMENT") }.joined(separator: "\n")
            #expect(errors.contains("duplicate key value") && errors.contains("violates check constraint"))
            #expect(!log.contains("(canary)") && !log.contains("(bad canary)"))
        }
    }

    @Test func startUpErrorShowsTheReasonFromTheLog() async throws {
        try await Self.withScratch { scratch in
            var options = Self.options
            options.settings = ["shared_buffers": "nonsense"]
            let error = await #expect(throws: LocalClusterError.self) {
                _ = try await LocalCluster.start(directory: scratch.cluster, options: options, logger: quiet)
            }
            #expect(error?.description.contains("invalid value for parameter \"shared_buffers\"") == true)
        }
    }
}
