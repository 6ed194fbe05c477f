import API
import ArgumentParser
import Campaigns
import EventLoop
import HTTPServer
import Logging
import ServiceLifecycle
import Store
import TLS

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the API, the web pages and a worker in one process.",
        discussion: """
            Without a database URL, Belfry starts its own PostgreSQL in the state directory. Missing migrations are \
            applied. To add capacity, run "belfry work" on more machines with the same database URL and sealing key.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "TLS") var tls: TLSOptions
    @OptionGroup(title: "Management") var management: ManagementOptions
    @OptionGroup(title: "Devices") var devices: DevicesOptions
    @OptionGroup(title: "Limits") var limits: ServerOptions
    @OptionGroup(title: "Stopping") var drain: DrainOptions
    @OptionGroup(title: "Threads") var webLoops: WebLoopOptions
    @OptionGroup(title: "Threads") var sendLoops: SendLoopOptions

    func run() async throws {
        let descriptors = try DescriptorBudget.raise()
        let reader = try await options.reader()
        var settings = try options.load(reader, privateDatabase: .allowed)
        settings.process.kind = .serve
        try settings.choosePort()
        try limits.configure(&settings.server, reader, descriptors)
        settings.rateLimits = try limits.rateLimits(reader, otherwise: .standard)
        settings.loops = LoopCounts(web: try webLoops.count(reader), send: try sendLoops.count(reader))
        settings.management = try management.address(reader)
        settings.devices = try devices.address(reader)
        let drainTime = try drain.duration(reader)
        settings.certificate = try tls.files(reader)
        let version = settings.certificate?.version
        let certificate = try settings.certificate?.load()
        // For checks of media on other servers, for webhooks, and usually for Apple.
        try SystemRoots.load()
        try options.loadAPNS(&settings, reader)
        let log = LogOutput(settings.logFormat, from: settings.process)
        let logger = log.logger(level: settings.logLevel)
        let signals = await OtherSignals(logger: logger)
        let loop = try EventLoop(name: "setup")
        let database = try await withTaskExecutorPreference(loop) {
            try await DatabaseWait(settings: settings, logger: logger).open(on: loop, serving: true, tls: certificate)
        }
        try await withTaskExecutorPreference(loop) {
            try await FirstAdmin.prepare(settings, database, on: loop, logger: logger)
        }
        loop.stop()
        let services = Services(settings: settings, database: database, logger: logger)
        services.watch(log)
        let web = try services.makeWeb(tls: certificate)
        var parts: [any Service] = [try services.makeListing(.serve), web] + (try services.makeWorkers())
        parts.append(try services.makeWebhooks())
        if let management = try services.makeManagement() {
            logger.info("management", metadata: ["url": "http://\(management.server.address)"])
            parts.append(management)
        }
        if let files = settings.certificate, let version, let certificate {
            files.reportExpiry(of: certificate, to: services.registry, logger)
            parts.append(
                CertificateReloader(
                    files: files, first: version, servers: web.servers, loop: web.loops.next(),
                    metrics: services.registry, logger: logger))
        }
        let scheme = certificate == nil ? "http" : "https"
        logger.info("serving", metadata: ["url": "\(scheme)://\(web.servers[0].address)"])
        for server in web.servers.dropFirst() {
            logger.info("serving devices alone", metadata: ["url": "\(scheme)://\(server.address)"])
        }
        let stop = await StopSignals(drain: drainTime, logger: logger) {
            services.isStopping.withLock { $0 = true }
            for server in web.servers { server.announceEnd() }
        }
        try await ServiceGroup.run(parts + [signals, stop], signals: [], log: log, logger: logger)
        await database.close()
    }
}
