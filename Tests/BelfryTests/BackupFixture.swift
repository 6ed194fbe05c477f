import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry

/// A `belfry serve`, a backup of it, and another database on its server.
struct BackupFixture {
    let server: ServeFixture
    let folder: URL
    /// The connection string of the other database, which is empty at first.
    let otherURL: String
    let other: PostgresConfiguration

    var backup: String { folder.appending(path: "backups/monday").path }

    static func with(
        serve: [String] = [], app: [String] = [], environment: [String: String] = [:], in folder: URL,
        _ body: (BackupFixture) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "backups"), withIntermediateDirectories: true)
        try await ServeFixture.with(in: folder, serve: serve, app: app, environment: environment) { server in
            var other = server.database
            other.database = "other"
            let fixture = BackupFixture(
                server: server, folder: folder,
                otherURL: server.databaseURL.replacing("/belfry?", with: "/other?"), other: other)
            try await fixture.execute(["CREATE DATABASE other"], in: server.database)
            try await body(fixture)
        }
    }

    /// The exit status and both outputs.
    func belfry(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> BelfryProcess.Ending {
        try await BelfryProcess(
            arguments, in: folder, environment: ["DATABASE_URL": server.databaseURL].merging(environment) { $1 },
            capturesErrors: true
        ).ending()
    }

    func backUp() async throws {
        let ending = try await belfry(["backup", backup])
        #expect(ending.status == 0, "\(ending.output)")
    }

    func verify() async throws -> BelfryProcess.Ending { try await belfry(["backup", "--verify", backup]) }

    func restore(_ flags: [String] = []) async throws -> BelfryProcess.Ending {
        try await belfry(["restore", backup] + flags, ["DATABASE_URL": otherURL])
    }

    /// A `serve` on the restored database.
    func serveRestored(_ flags: [String] = [], _ environment: [String: String] = [:]) async throws -> BelfryProcess {
        try await BelfryProcess(
            ["serve", "--port", "0"] + flags, in: folder,
            environment: ["DATABASE_URL": otherURL, "BELFRY_LOG_LEVEL": "notice"].merging(environment) { $1 },
            capturesErrors: true)
    }

    func execute(_ statements: [PostgresQuery], in database: PostgresConfiguration) async throws {
        for statement in statements { _ = try await rows(statement, in: database) }
    }

    /// The first column of all rows, as text.
    func rows(_ query: PostgresQuery, in database: PostgresConfiguration) async throws -> [String] {
        try await withTaskExecutorPreference(server.loop) {
            let connection = try await PostgresConnection.connect(
                database, on: server.loop, logger: Logger(label: "test"))
            let found = try await connection.query(query)
            await connection.close()
            return try found.map { try $0[0] }
        }
    }

    /// Repeats until the question has this answer.
    func wait(for answer: [String], to query: PostgresQuery, in database: PostgresConfiguration) async throws {
        while try await rows(query, in: database) != answer { try await Task.sleep(for: .milliseconds(50)) }
    }
}
