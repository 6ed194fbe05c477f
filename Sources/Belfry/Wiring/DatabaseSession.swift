import Campaigns
import EventLoop
import Logging
import Postgres
import Store

typealias AppID = App.ID

/// Runs a command's work with an open, migrated database, and closes the database afterwards.
enum DatabaseSession {
    static func run(
        _ options: SettingsOptions, _ work: @concurrent @Sendable (Stores) async throws -> Void
    ) async throws {
        let settings = try await options.load()
        let logger = Logger.make(level: .warning)
        let loop = try EventLoop(name: "command")
        try await withTaskExecutorPreference(loop) {
            let database = try await Database.open(settings, on: loop, logger: logger)
            let stores = database.stores(on: loop, logger: logger)
            do {
                try await work(stores)
            } catch {
                await stores.pool.close()
                await database.close()
                throw error
            }
            await stores.pool.close()
            await database.close()
        }
        loop.stop()
    }
}
