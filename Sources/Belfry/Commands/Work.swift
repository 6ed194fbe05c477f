import ArgumentParser
import Campaigns
import EventLoop
import Logging
import ServiceLifecycle
import Store

struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a worker: plan, send and record campaigns, without API and pages.",
        discussion: """
            Any number of workers share the campaigns of one database. A worker that is killed loses nothing: another \
            takes over what it held within a minute.

            Settings for tests and chaos, in the environment: BELFRY_LEASE_SECONDS (60), BELFRY_RENEWAL_SECONDS (15), \
            BELFRY_REQUEST_DEADLINE_SECONDS (20) and BELFRY_RETRY_SECONDS (900), after which Apple is asked once more when it \
            has put pushes off. A lease must be longer than renewal and deadline together and a twelfth of itself.
            """)

    @OptionGroup var options: SettingsOptions

    /// In the log: who a lease's owner is.
    static let processKey = "process"

    func run() async throws {
        let settings = try await options.load()
        let logger = Logger.make("belfry", level: settings.logLevel)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await Database.open(settings, on: loop, logger: logger)
        }
        loop.stop()
        let worker = try Services(settings: settings, database: database, logger: logger).makeDispatcher()
        logger.info("working", metadata: [Self.processKey: "\(worker.process.rawValue)"])
        try await ServiceGroup.run([worker], logger: logger)
        await database.close()
    }
}
