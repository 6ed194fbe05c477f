import ArgumentParser
import EventLoop
import Logging

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database's schema up to date, and exit.",
        discussion: "serve and work do so by themselves; this is for those who want it done before.")

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
