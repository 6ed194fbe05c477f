import EventLoop
import Foundation
import Logging
import Postgres
import PrivatePostgres
import Store

/// The database of the demo. When this build can't use its schema, the demo puts it aside and begins with a new one:
/// its content was generated. Only a database that the demo itself has made, and that has no other apps, is put aside.
enum DemoDatabase {
    static func open(_ settings: Settings, on loop: EventLoop, logger: Logger) async throws -> Database {
        do {
            return try await opened(settings, on: loop, logger: logger)
        } catch let error as OtherSchema {
            let old = try await putAside(error, on: loop, logger: logger)
            print(
                """
                The demo's database in \(error.directory) has the schema of another build, so the demo begins with a new one. \
                The old one is in \(old); delete it if you don't need it.
                """)
            return try await opened(settings, on: loop, logger: logger)
        }
    }

    private static func opened(_ settings: Settings, on loop: EventLoop, logger: Logger) async throws -> Database {
        let database = try await Database.open(settings, on: loop, logger: logger)
        // A database that DATABASE_URL names is not the demo's, whoever made its schema.
        guard database.cluster != nil, database.isNew else { return database }
        do {
            try await with(database.direct, on: loop, logger: logger) { try await DemoMark.put(on: $0) }
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// Returns the new directory.
    private static func putAside(_ error: OtherSchema, on loop: EventLoop, logger: Logger) async throws -> String {
        let cluster = try await LocalCluster.start(directory: error.directory, logger: logger)
        do {
            let isOwn = try await with(cluster.configuration, on: loop, logger: logger) {
                try await DemoMark.isOnlyContent(of: $0, bundleID: DemoEnvironment.bundleID)
            }
            guard isOwn else { throw error }
            let old = unusedName(error.directory)
            try await cluster.move(to: old)
            return old
        } catch {
            await cluster.stop()
            throw error
        }
    }

    private static func unusedName(_ directory: String) -> String {
        let dated = "\(directory)-\(Date.now.formatted(.iso8601.year().month().day()))"
        var (name, number) = (dated, 1)
        while FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(dated)-\(number)"
        }
        return name
    }

    private static func with<Value: Sendable>(
        _ configuration: PostgresConfiguration, on loop: EventLoop, logger: Logger,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
        do {
            let value = try await body(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }
}
