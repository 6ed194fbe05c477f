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
        let version = try await withTaskExecutorPreference(loop) {
            try await Database.migrate(settings, on: loop, logger: logger)
        }
        print("The schema is at migration \(version).")
    }
}
