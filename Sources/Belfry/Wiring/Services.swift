import API
import APNS
import Application
import Dispatcher
import EventLoop
import FoundationEssentials
import HTTPServer
public import Logging
import OpenMetrics
import Postgres
public import ServiceLifecycle
import Store
import TLS
public import UnixSignals

/// Builds the long-lived services of a process.
struct Services {
    let settings: Settings
    let database: Database
    let logger: Logger
    /// Nobody asks for it without an address for management.
    let registry = MetricRegistry(MetricFamilies.all)
    /// From a signal to the end of the process, while it serves on: nobody should send it new requests.
    let isStopping = Lock(false)
    /// Of all senders of the process.
    private let unresolved: UnresolvedBudget
    /// Under these, the parts of the process hold batches.
    private let owners = Lock<[ProcessID]>([])

    init(settings: Settings, database: Database, logger: Logger) {
        self.settings = settings
        self.database = database
        self.logger = logger
        unresolved = UnresolvedBudget(settings.maximumUnresolved)
    }

    /// The web server with the API and the pages, on its own loops. Connections are spread over all of them; the
    /// database is reached through the first, so that registrations and acknowledgements of all loops are committed
    /// together.
    func makeWeb(tls: TLSContext? = nil, phones: (any VirtualPhones)? = nil) throws -> WebServer {
        let loops = try EventLoopGroup(count: settings.loops.web, name: "web")
        let stores = database.stores("web", on: loops.loops[0], logger: logger)
        let loop = loops.loops[0]
        let registrations = RegistrationCommit.registrations(
            stores.registrations, on: loop, onGroup: onGroup("registrations"))
        let acknowledgements = AcknowledgementCommit.acknowledgements(
            stores.acknowledgements, on: loop, onGroup: onGroup("acknowledgements"),
            onCounted: onCounted())
        let customEvents = CustomEventCommit.customEvents(
            stores.customEvents, on: loop, onGroup: onGroup("custom-events"))
        let testPushes = TestPushSender(
            stores: stores, endpoints: settings.endpoints, options: settings.apnsOptions, loop: loop, logger: logger,
            metrics: registry)
        let pushes = try PushSender(
            stores: stores, endpoints: settings.endpoints, options: dispatcherOptions(DispatcherOptions()),
            owner: newOwner(), loop: loop, logger: logger, unresolved: unresolved, metrics: registry)
        let pool = stores.pool
        watch(loops.loops, pool: pool, "web")
        let pagesFolder = try Resources.directory("Public")
        let graph = APIGraph(
            stores: stores, registrations: registrations, acknowledgements: acknowledgements,
            customEvents: customEvents, admission: RegistrationAdmission(stores.identityKeys, logger: logger),
            mediaLibrary: try mediaLibrary(stores),
            outside: .init(
                pusher: pushes, testPusher: testPushes,
                credentialChecker: APNSCredentialChecker(
                    endpoints: settings.endpoints, options: settings.apnsOptions, loop: loop, logger: logger),
                mediaProbe: WebMediaProbe(loop: loop), phones: phones),
            appearance: .init(
                program: database.program,
                document: try OpenAPIDocument(folder: "\(pagesFolder)/openapi"), publicURL: settings.pageURL,
                devicesURL: settings.mediaURL, destination: settings.endpoints.destination, isStopping: isStopping,
                allowsPrivateWebhooks: settings.webhooksToPrivateAddresses),
            rateLimits: settings.rateLimits, logger: logger)
        let api = graph.api()
        var router = api.router()
        let pages = try Pages(folder: pagesFolder)
        router.setFallback { request in try await pages.respond(to: request) }
        let accessLog = try settings.accessLog.map { try AccessLog(path: $0, logger: logger) }
        let counted = settings.management == nil ? nil : RequestMetrics(registry)
        var onResponse: (@Sendable (AccessRecord) -> Void)?
        if accessLog != nil || counted != nil {
            onResponse = { record in
                if let counted { counted.count(record) }
                accessLog?.add(record)
            }
        }
        let servers = try Self.listen(
            settings, router, devices: api.deviceRouter(), loops: loops, tls: tls, logger: logger,
            onResponse: onResponse)
        registry.add { ProcessSamples.connections(servers[0]) }
        return WebServer(
            servers: servers, registrations: registrations, acknowledgements: acknowledgements,
            customEvents: customEvents, pushes: pushes, testPushes: testPushes, accessLog: accessLog,
            pool: stores.pool, loops: loops)
    }

    /// A web server on the address of the settings, and perhaps one for devices. They share the limits on connections.
    static func listen(
        _ settings: Settings, _ router: Router, devices: Router, loops: EventLoopGroup, tls: TLSContext?,
        logger: Logger, onResponse: (@Sendable (AccessRecord) -> Void)? = nil
    ) throws -> [HTTPServer] {
        guard let address = SocketAddress(ip: settings.host, port: settings.port) else {
            throw CommandFailure(
                "\"\(settings.host)\" is not an IP address; the listen address must be one, such as 127.0.0.1 or ::.")
        }
        var configuration = settings.server
        configuration.address = address
        configuration.onResponse = onResponse
        let server: HTTPServer
        do {
            server = try HTTPServer(
                configuration: configuration, router: router, loops: loops, tls: tls, logger: logger)
        } catch {
            throw CommandFailure(
                "Can't listen on \(address): \(error). Choose another port with --port or BELFRY_PORT.")
        }
        guard let address = settings.devices else { return [server] }
        configuration.address = address
        do {
            let other = try HTTPServer(
                configuration: configuration, router: devices, loops: loops, tls: tls, countingWith: server,
                logger: logger)
            return [server, other]
        } catch {
            throw CommandFailure(
                "Can't listen on \(address): \(error). Choose another port with --devices-port or BELFRY_DEVICES_PORT.")
        }
    }

    /// Lets management see the pool, and how late the loops are.
    private func watch(_ loops: [EventLoop], pool: PostgresPool, _ name: String) {
        guard settings.management != nil else { return }
        registry.add { await ProcessSamples.pool(name, pool) }
        for loop in loops {
            let (name, lag) = (loop.name, LoopLag(of: loop))
            registry.add { ProcessSamples.lag(name, lag) }
        }
    }

    /// Lets management see how many warnings and errors were logged.
    func watch(_ log: LogOutput) { registry.add { ProcessSamples.lines(of: log) } }

    private func onCounted() -> (@Sendable ([AcknowledgementRequest], [AcknowledgementCount]) -> Void)? {
        guard settings.management != nil else { return nil }
        let metrics = EventMetrics(registry)
        return { metrics.add($0, $1) }
    }

    private func onGroup(_ kind: String) -> (@Sendable (StoredGroup) -> Void)? {
        guard settings.management != nil else { return nil }
        let metrics = GroupMetrics(kind, registry)
        return { metrics.add($0) }
    }

    /// Nil without an address for it.
    func makeManagement() throws -> Management? {
        try settings.management.map {
            try Management(at: $0, registry, database, isStopping: isStopping, logger: logger)
        }
    }

    /// The first of the services, because the last one ends first.
    func makeListing(_ kind: ProcessKind) throws -> ProcessListing {
        try ProcessListing(
            settings.process.identity(kind, database.program), owners: owners, database: database, logger: logger)
    }

    private func newOwner() -> ProcessID {
        let owner = ProcessID()
        owners.withLock { $0.append(owner) }
        return owner
    }

    private func mediaLibrary(_ stores: Stores) throws -> MediaLibrary {
        let directory: MediaDirectory?
        do {
            directory = try settings.mediaDirectory.map { path throws(SystemError) in try MediaDirectory(path: path) }
        } catch {
            throw CommandFailure("Can't use the media directory: \(error).")
        }
        return MediaLibrary(
            store: stores.media, directory: directory,
            temporaryDirectory: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")
    }

    /// Workers, each on its own loop. They are to each other what workers of several processes are: each has its own
    /// leases, and connections. Only the bound on unresolved recipients is that of the process.
    func makeWorkers() throws -> [Worker] { try (0..<settings.loops.send).map { try makeDispatcher(number: $0) } }

    /// The dispatcher, on its own loop.
    func makeDispatcher(
        number: Int = 0, options: DispatcherOptions = DispatcherOptions(),
        onEvent: (@Sendable (DispatchEvent) -> Void)? = nil
    ) throws -> Worker {
        let loop = try EventLoop(name: "work-\(number)")
        let stores = database.stores("work-\(number)", on: loop, logger: logger)
        let listener = PostgresListener(
            database.direct("listen-\(number)"), channels: ["belfry_campaigns", "belfry_runs", "belfry_tag_changes"],
            on: loop,
            logger: logger, outage: database.listenerOutage)
        let process = newOwner()
        let dispatcher = try DispatcherService(
            stores: stores, endpoints: settings.endpoints,
            options: dispatcherOptions(options), owner: process, loop: loop, listener: listener, logger: logger,
            unresolved: unresolved, metrics: registry, onEvent: onEvent)
        watch([loop], pool: stores.pool, "work-\(number)")
        return Worker(process: process, dispatcher: dispatcher, pool: stores.pool, loop: loop)
    }

    /// The sender of webhooks, with its own loop and database connections.
    func makeWebhooks() throws -> WebhookWorker {
        let loop = try EventLoop(name: "webhooks")
        let pool = database.pool(
            "webhooks", connections: Database.webhookConnections, on: loop, logger: logger)
        watch([loop], pool: pool, "webhooks")
        let service = WebhookService(
            queue: WebhookQueueStore(pool: pool, sealingKeys: database.sealingKeys),
            network: WebhookNetwork(
                allowsPrivate: settings.webhooksToPrivateAddresses, restriction: PublicAddress.restriction(of:)),
            loop: loop, logger: logger, metrics: registry)
        return WebhookWorker(service: service, pool: pool, loop: loop)
    }

    private func dispatcherOptions(_ options: DispatcherOptions) -> DispatcherOptions {
        var options = options
        options.apns = settings.apnsOptions
        options.publicURL = settings.mediaURL
        options.stateDirectory = settings.stateDirectory
        options.renewal = settings.renewal ?? options.renewal
        if let retry = settings.retry {
            (options.retryLater, options.retryDeviceLater, options.longestRetry) = (retry, retry, retry * 2)
        }
        if let lease = settings.lease {
            options.lease = lease
            // In proportion: 5 seconds of 60.
            options.margin = min(options.margin, lease / 12)
            // 20 seconds of 60, and enough for a step on a busy machine.
            options.planLease = min(options.planLease, max(.seconds(5), lease / 3))
            options.planDeadline = min(options.planDeadline, options.planLease / 2)
        }
        return options
    }
}

extension Settings {
    fileprivate var apnsOptions: APNSOptions {
        var options = APNSOptions()
        options.maximumConnections = maximumAPNSConnections
        options.requestDeadline = requestDeadline ?? options.requestDeadline
        return options
    }
}

/// The HTTP servers with what their routes use: group commits and a pool.
struct WebServer: Service, CustomStringConvertible {
    /// The one with all routes, and perhaps one for devices.
    let servers: [HTTPServer]
    let registrations: RegistrationCommit
    let acknowledgements: AcknowledgementCommit
    let customEvents: CustomEventCommit
    let pushes: PushSender
    let testPushes: TestPushSender
    let accessLog: AccessLog?
    let pool: PostgresPool
    let loops: EventLoopGroup

    var description: String { "web server" }

    func run() async throws {
        async let registering: Void = registrations.run()
        async let acknowledging: Void = acknowledgements.run()
        async let reporting: Void = customEvents.run()
        async let pushing: Void = pushes.run()
        async let logging: Void? = accessLog?.run()
        try await withThrowingDiscardingTaskGroup { group in
            for server in servers { group.addTask { try await server.run() } }
        }
        // All requests are answered, so no group has pending work.
        registrations.stop()
        acknowledgements.stop()
        customEvents.stop()
        pushes.stop()
        accessLog?.stop()
        _ = await (registering, acknowledging, reporting, pushing, logging)
        await testPushes.shutDown()
        await pool.close()
        loops.stop()
    }
}

/// The dispatcher with its pool and its loop.
struct Worker: Service, CustomStringConvertible {
    /// The owner of its leases in the database.
    let process: ProcessID
    let dispatcher: DispatcherService
    let pool: PostgresPool
    let loop: EventLoop

    var description: String { "worker" }

    func run() async throws {
        try await dispatcher.run()
        await pool.close()
        loop.stop()
    }
}

/// The sender of webhooks with its pool and its loop.
struct WebhookWorker: Service, CustomStringConvertible {
    let service: WebhookService
    let pool: PostgresPool
    let loop: EventLoop

    var description: String { "webhooks" }

    func run() async throws {
        try await service.run()
        await pool.close()
        loop.stop()
    }
}

extension ServiceGroup {
    /// As the other `run`; counts of repeated log lines are written until the end, so their service ends last.
    static func run(
        _ services: [any Service], signals: [UnixSignal] = [.sigterm, .sigint], log: LogOutput, logger: Logger
    ) async throws {
        defer { log.writeCounts() }
        try await run([LogCounts(output: log)] + services, signals: signals, logger: logger)
    }

    /// Runs until one service ends or the process receives one of the signals; then all end gracefully, the last one
    /// first.
    public static func run(
        _ services: [any Service], signals: [UnixSignal] = [.sigterm, .sigint], logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: signals, logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(40)
        try await ServiceGroup(configuration: configuration).run()
    }
}
