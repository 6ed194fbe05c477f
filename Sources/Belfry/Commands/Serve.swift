import ArgumentParser
import Campaigns
import EventLoop
import HTTPServer
import Logging
import ServiceLifecycle
import TLS

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the API, the web pages and a worker in one process.",
        discussion: """
            Without a database URL, Belfry starts its own PostgreSQL in the state directory. Missing migrations are \
            applied. To add capacity, run "belfry work" on more machines with the same database URL and sealing key.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "Limits") var limits: ServerOptions

    func run() async throws {
        let descriptors = try DescriptorBudget.raise()
        let reader = try await options.reader()
        var settings = try options.load(reader)
        try limits.configure(&settings.server, reader, descriptors)
        // For checks of media on other servers, and usually for Apple.
        try SystemRoots.load()
        try settings.checkTrust()
        let logger = Logger.make("belfry", level: settings.logLevel)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await Database.open(settings, on: loop, logger: logger)
        }
        loop.stop()
        let services = Services(settings: settings, database: database, logger: logger)
        let web = try services.makeWeb()
        let worker = try services.makeDispatcher()
        logger.info("serving", metadata: ["url": "http://\(web.server.address)"])
        try await ServiceGroup.run([web, worker], logger: logger)
        await database.close()
    }
}
