import ArgumentParser
import EventLoop
import Logging

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply missing migrations to the database, and exit.",
        discussion: "serve and work also apply them when they start; use migrate to apply them before a deployment.")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.load()
        let logger = Logger.make("belfry", level: settings.logLevel)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await Database.open(settings, on: loop, logger: logger)
        }
        await database.close()
        print("The schema is at migration \(database.schemaVersion).")
    }
}
