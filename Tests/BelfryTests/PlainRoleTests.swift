import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

extension BelfrySuite {
    /// A database at a provider of PostgreSQL: a role without superuser rights owns it, and the role can't call functions
    /// about the server's files.
    @Suite struct PlainRoleTests {
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test func campaignNeedsNoRightsBeyondItsDatabase() async throws {
            try await ScratchFolder.with { folder in
                let cluster = try await LocalCluster.start(
                    directory: folder.appending(path: "postgres").path, logger: Self.quiet)
                let loop = try EventLoop(name: "plain-role")
                defer { loop.stop() }
                try await withTaskExecutorPreference(loop) { try await Self.prepare(cluster, on: loop) }
                let url = cluster.url.replacing("///belfry?", with: "///managed?").replacing(
                    "user=belfry", with: "user=plain&password=test")
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(
                    in: folder, serve: apple.serve, app: apple.credential, environment: ["DATABASE_URL": url]
                ) { served in
                    let run = try await served.sendCampaign(toDevices: 40)
                    #expect(run["targeted"] == 40 && run["accepted"] == 40)
                    try await cluster.restart()
                    let next = try await served.sendCampaign(toDevices: 40)
                    #expect(next["targeted"] == 40 && next["accepted"] == 40)
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
                await cluster.stop()
            }
        }

        private static func prepare(_ cluster: LocalCluster, on loop: EventLoop) async throws {
            var configuration = cluster.configuration
            let admin = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
            try await admin.execute("CREATE ROLE plain LOGIN PASSWORD 'test'")
            try await admin.execute("CREATE DATABASE managed OWNER plain")
            await admin.close()
            configuration.database = "managed"
            let managed = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
            try await managed.queryScript(
                """
                DO $$ DECLARE f regprocedure; BEGIN
                    FOR f IN SELECT oid::regprocedure FROM pg_proc
                        WHERE proname ~ '^pg_(control_|current_wal|walfile|last_wal|switch_wal|is_in_recovery|stat_get_wal)'
                    LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f); END LOOP;
                END $$
                """)
            await managed.close()
        }
    }
}
