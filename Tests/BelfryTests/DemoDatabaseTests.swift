import EventLoop
import Foundation
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

extension BelfrySuite {
    /// What happens to a database whose schema files were changed.
    @Suite struct DemoDatabaseTests {
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        private static let otherBuild = "UPDATE schema_migrations SET checksum = 'other' WHERE number = 2"
        private static let ownApp = "INSERT INTO apps (name, bundle_id) VALUES ('Own', 'com.example.own')"

        @Test func demoPutsItsDatabaseOfAnotherBuildAside() async throws {
            try await ScratchFolder.with { folder in
                try await Self.run(["demo", "--devices", "300", "--port", "0"], until: "#sign-in=", in: folder)
                try await Self.change(folder, [Self.otherBuild])
                let output = try await Self.run(
                    ["demo", "--devices", "300", "--port", "0"], until: "#sign-in=", in: folder)
                #expect(output.contains("has the schema of another build, so the demo begins with a new one"))
                let folders = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "var").path)
                let old = try #require(folders.first { $0.hasPrefix("postgres-") })
                #expect(
                    FileManager.default.fileExists(atPath: folder.appending(path: "var/\(old)/data/PG_VERSION").path))
            }
        }

        @Test func demoLeavesADatabaseWithOtherAppsAsItIs() async throws {
            try await ScratchFolder.with { folder in
                try await Self.run(["demo", "--devices", "300", "--port", "0"], until: "#sign-in=", in: folder)
                try await Self.change(folder, [Self.otherBuild, Self.ownApp])
                try await Self.expectRefusal(of: ["demo", "--devices", "300", "--port", "0"], in: folder)
                // "serve" never puts a database aside, also not one that the demo has made.
                try await Self.change(folder, ["DELETE FROM apps WHERE bundle_id = 'com.example.own'"])
                try await Self.expectRefusal(of: ["serve", "--port", "0"], in: folder)
            }
        }

        @Test func demoLeavesADatabaseThatItHasNotMadeAsItIs() async throws {
            try await ScratchFolder.with { folder in
                let made = try await BelfryProcess(["migrate", "--private-database"], in: folder).ending()
                #expect(made.status == 0)
                try await Self.change(folder, [Self.otherBuild])
                try await Self.expectRefusal(of: ["demo", "--devices", "300", "--port", "0"], in: folder)
            }
        }

        private static func expectRefusal(of command: [String], in folder: URL) async throws {
            let ending = try await BelfryProcess(command, in: folder, capturesErrors: true).ending()
            #expect(ending.status != 0)
            #expect(ending.output.contains("the database was made by another build"), "\(ending.output)")
            #expect(ending.output.contains("to begin with an empty one, move this folder away"))
            let folders = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "var").path)
            #expect(!folders.contains { $0.hasPrefix("postgres-") })
        }

        @discardableResult
        private static func run(_ command: [String], until text: String, in folder: URL) async throws -> String {
            let process = try await BelfryProcess(command, in: folder, capturesErrors: true)
            let output = try await process.output(until: text)
            process.send(SIGTERM)
            _ = try await process.ending()
            return output
        }

        private static func change(_ folder: URL, _ statements: [String]) async throws {
            let cluster = try await LocalCluster.start(
                directory: folder.appending(path: "var/postgres").path, logger: quiet)
            let loop = try EventLoop(name: "demo-database-test")
            defer { loop.stop() }
            try await withTaskExecutorPreference(loop) {
                let connection = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: quiet)
                try await connection.queryScript(statements.joined(separator: ";"))
                await connection.close()
            }
            await cluster.stop()
        }
    }
}
