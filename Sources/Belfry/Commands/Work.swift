import ArgumentParser
import Campaigns
import EventLoop
import HTTPServer
import Logging
import ServiceLifecycle
import Store

struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a worker, without the API and the web pages.",
        discussion: """
            A worker plans, sends and records campaigns. Any number of workers can share one database. If a worker is \
            killed, another one takes over its batches within a minute.

            Environment variables for tests, with their defaults: BELFRY_LEASE_SECONDS (60), BELFRY_RENEWAL_SECONDS \
            (15), BELFRY_REQUEST_DEADLINE_SECONDS (20), and BELFRY_RETRY_SECONDS (900), the time after which pushes \
            that Apple has deferred are retried. A lease must be longer than the sum of the renewal, the deadline and \
            a twelfth of the lease. With BELFRY_UNSAFE_SERVER=true, PostgreSQL may run with fsync off.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "Management") var management: ManagementOptions
    @OptionGroup(title: "Threads") var sendLoops: SendLoopOptions

    func run() async throws {
        _ = try DescriptorBudget.raise()
        let reader = try await options.reader()
        var settings = try options.load(reader, privateDatabase: .ifNamed)
        settings.process.kind = .work
        settings.loops.send = try sendLoops.count(reader)
        settings.management = try management.address(reader)
        try options.loadAPNS(&settings, reader)
        let log = LogOutput(settings.logFormat, from: settings.process)
        let logger = log.logger(level: settings.logLevel)
        let signals = await OtherSignals(logger: logger)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await DatabaseWait(settings: settings, logger: logger).open(on: loop)
        }
        loop.stop()
        let services = Services(settings: settings, database: database, logger: logger)
        services.watch(log)
        let workers = try services.makeWorkers()
        var parts: [any Service] = [try services.makeListing(.work)] + workers + [try services.makeWebhooks()]
        if let management = try services.makeManagement() {
            logger.info("management", metadata: ["url": "http://\(management.server.address)"])
            parts.append(management)
        }
        for worker in workers { logger.info("working", metadata: [Logger.ownerKey: "\(worker.process.rawValue)"]) }
        try await ServiceGroup.run(parts + [signals], log: log, logger: logger)
        await database.close()
    }
}
