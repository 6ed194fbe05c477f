import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import Store
import TestSupport
import Testing

@testable import Belfry

struct DatabaseTests {
    @Test func poolerDisablesPreparedStatements() async throws {
        var settings = Settings()
        settings.databaseURL = "postgres://belfry@localhost/belfry"
        let (plain, same, _) = try await Database.server(settings, logger: Logger(label: "test"))
        #expect(plain.preparedStatements > 0 && same.preparedStatements > 0)

        settings.directDatabaseURL = "postgres://belfry@localhost:5433/belfry"
        let (pooled, direct, _) = try await Database.server(settings, logger: Logger(label: "test"))
        #expect(pooled.preparedStatements == 0)
        #expect(direct.preparedStatements > 0)
        #expect(plain.configuresSessions && direct.configuresSessions && !pooled.configuresSessions)
    }

    @Test func localServerHasAReaderWhoChangesNothing() async throws {
        try await ScratchFolder.with { folder in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let loop = try EventLoop(name: "test")
            defer { loop.stop() }
            try await withTaskExecutorPreference(loop) {
                var settings = Settings()
                settings.stateDirectory = folder.appending(path: "var").path
                let database = try await Database.open(settings, on: loop, logger: logger)
                // A second start finds the role.
                _ = try await Database.open(settings, on: loop, logger: logger)
                var configuration = database.configuration
                configuration.user = InstanceStore.readerRole
                configuration.allowsReadOnly = true
                let reader = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
                #expect(try await reader.query("SELECT * FROM bi.deliveries").isEmpty)
                await #expect(throws: PostgresError.self) { try await reader.execute("SELECT * FROM api_keys") }
                await #expect(throws: PostgresError.self) { try await reader.execute("DELETE FROM apps") }
                await reader.close()
                await database.close()
            }
        }
    }

    @Test func serverWithoutFsyncIsRefusedOutsideTests() async throws {
        try await ScratchFolder.with { folder in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            var options = LocalCluster.Options()
            options.fsync = false
            let cluster = try await LocalCluster.start(
                directory: folder.appending(path: "postgres").path, options: options, logger: logger)
            let loop = try EventLoop(name: "test")
            defer { loop.stop() }
            try await withTaskExecutorPreference(loop) {
                var settings = Settings()
                settings.stateDirectory = folder.appending(path: "var").path
                settings.databaseURL = cluster.url
                await #expect(throws: ServerIsNotDurable.self) {
                    _ = try await Database.open(settings, on: loop, logger: logger)
                }
                settings.allowsUnsafeServer = true
                await (try await Database.open(settings, on: loop, logger: logger)).close()
            }
            await cluster.stop()
        }
    }

    @Test func asynchronousCommitsAreOverriddenOrRejectedBehindAPooler() async throws {
        try await ScratchFolder.with { folder in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let cluster = try await LocalCluster.start(
                directory: folder.appending(path: "postgres").path, logger: logger)
            let loop = try EventLoop(name: "test")
            defer { loop.stop() }
            try await withTaskExecutorPreference(loop) {
                let admin = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: logger)
                try await admin.execute("ALTER DATABASE belfry SET synchronous_commit = off")
                await admin.close()
                var settings = Settings()
                settings.stateDirectory = folder.appending(path: "var").path
                settings.databaseURL = cluster.url
                let opened = try await Database.open(settings, on: loop, logger: logger)
                await opened.close()

                settings.directDatabaseURL = cluster.url
                await #expect(throws: CommitsAreNotDurable.self) {
                    _ = try await Database.open(settings, on: loop, logger: logger)
                }
            }
            await cluster.stop()
        }
    }
}
