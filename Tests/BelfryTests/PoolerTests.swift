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
    /// DATABASE_URL leads through PgBouncer.
    @Suite struct PoolerTests {
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        /// A cluster, its pooler, and a folder.
        private func withPooler(
            mode: String, _ body: (Pooler, LocalCluster, URL, EventLoop) async throws -> Void
        ) async throws {
            try await ScratchFolder.with { folder in
                let loop = try EventLoop(name: "pooler")
                defer { loop.stop() }
                let sockets = folder.appending(path: "postgres").path
                let cluster = try await LocalCluster.start(directory: sockets, logger: Self.quiet)
                let pooler = try await Pooler(mode: mode, before: sockets, in: folder, on: loop)
                do {
                    try await body(pooler, cluster, folder, loop)
                } catch {
                    try await pooler.stop()
                    await cluster.stop()
                    throw error
                }
                try await pooler.stop()
                await cluster.stop()
            }
        }

        private func open(_ url: String, direct: String?, in folder: URL, on loop: EventLoop) async throws {
            var settings = Settings()
            settings.stateDirectory = folder.appending(path: "var").path
            (settings.databaseURL, settings.directDatabaseURL) = (url, direct)
            try await withTaskExecutorPreference(loop) {
                await (try await Database.open(settings, on: loop, logger: Self.quiet)).close()
            }
        }

        @Test func campaignIsSentThroughSessionsThatAreShared() async throws {
            try await withPooler(mode: "transaction") { pooler, cluster, folder, _ in
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(
                    in: folder, serve: apple.serve, app: apple.credential,
                    environment: ["DATABASE_URL": pooler.url(), "DATABASE_DIRECT_URL": cluster.url]
                ) { served in
                    let run = try await served.sendCampaign(toDevices: 40)
                    #expect(run["targeted"] == 40 && run["accepted"] == 40)
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        @Test func poolerInTransactionModeRequiresADirectAddress() async throws {
            try await withPooler(mode: "transaction") { pooler, cluster, folder, loop in
                await #expect(throws: UnsuitableAddress.isPooled) {
                    try await open(pooler.url(), direct: nil, in: folder, on: loop)
                }
                await #expect(throws: UnsuitableAddress.directIsPooled) {
                    try await open(pooler.url(), direct: pooler.url(), in: folder, on: loop)
                }
                let ending = try await BelfryProcess(
                    ["work"], in: folder, environment: ["DATABASE_URL": pooler.url()], capturesErrors: true
                ).ending()
                #expect(ending.status != 0)
                #expect(ending.output.contains("Set DATABASE_DIRECT_URL to the address of PostgreSQL itself"))
                // The schema was not touched.
                try await withTaskExecutorPreference(loop) {
                    let connection = try await PostgresConnection.connect(
                        cluster.configuration, on: loop, logger: Self.quiet)
                    #expect(try await connection.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").isEmpty)
                    await connection.close()
                }
            }
        }

        @Test func poolerInSessionModeNeedsNoDirectAddress() async throws {
            try await withPooler(mode: "session") { pooler, _, folder, loop in
                try await open(pooler.url(), direct: nil, in: folder, on: loop)
            }
        }

        @Test func poolerInStatementModeIsRefused() async throws {
            try await withPooler(mode: "statement") { pooler, cluster, folder, loop in
                await #expect(throws: UnsuitableAddress.hasNoTransactions) {
                    try await open(pooler.url(), direct: cluster.url, in: folder, on: loop)
                }
            }
        }

        @Test func parameterThatThePoolerRefusesIsNoReasonToWait() async throws {
            try await withPooler(mode: "transaction") { pooler, cluster, folder, loop in
                let url = pooler.url(parameters: "?options=-c%20work_mem%3D8MB")
                await #expect(throws: UnsuitableAddress.refusesParameter("options")) {
                    try await open(url, direct: cluster.url, in: folder, on: loop)
                }
            }
        }

        @Test func bothAddressesMustLeadToTheSameDatabase() async throws {
            try await withPooler(mode: "transaction") { pooler, cluster, folder, loop in
                await #expect(throws: UnsuitableAddress.differ(database: "postgres", direct: "belfry")) {
                    try await open(pooler.url(database: "postgres"), direct: cluster.url, in: folder, on: loop)
                }
            }
        }
    }
}
