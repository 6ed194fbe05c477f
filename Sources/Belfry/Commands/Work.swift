import ArgumentParser
import EventLoop
import Logging
import ServiceLifecycle

struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a worker: plan, send and record campaigns, without API and pages.",
        discussion: """
            Any number of workers share the campaigns of one database. A worker that is killed loses nothing: another \
            takes over what it held within a minute.
            """)

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.load()
        let logger = Logger.make("belfry", level: settings.logLevel)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await Database.open(settings, on: loop, logger: logger)
        }
        loop.stop()
        let worker = try Services(settings: settings, database: database, logger: logger).makeDispatcher()
        logger.info("working")
        try await ServiceGroup.run([worker], logger: logger)
        await database.close()
    }
}
