import Campaigns
import EventLoop
import Logging
import Postgres

typealias AppID = App.ID

/// A command's short visit to the database, which it opens, migrates and leaves as it found it.
enum DatabaseSession {
    static func run(
        _ options: SettingsOptions, _ work: @concurrent @Sendable (PostgresPool, Database) async throws -> Void
    ) async throws {
        let settings = try await options.load()
        let logger = Logger.make("belfry", level: .warning)
        let loop = try EventLoop(name: "command")
        try await withTaskExecutorPreference(loop) {
            let database = try await Database.open(settings, on: loop, logger: logger)
            let pool = database.pool(on: loop, logger: logger)
            do {
                try await work(pool, database)
            } catch {
                await pool.close()
                await database.close()
                throw error
            }
            await pool.close()
            await database.close()
        }
        loop.stop()
    }
}
