import APNS
import APNSSimulator
import Application
import Campaigns
import Crypto
import Dispatcher
import EventLoop
import FoundationEssentials
import JSON
import Logging
import MetricsTestKit
import Notifications
import Postgres
import ServiceLifecycle
import Store
import TLS
import TestSupport
import Testing

/// A database of its own with one app, a simulated Apple for each environment, and workers on demand.
///
/// Devices are numbered from 1; a device's number is its installation and, as 32 bytes, its token.
struct DispatcherFixture {
    static let bundleID = "com.example.Bell"
    static let keyID = "BELL123456"
    static let teamID = "TEAM123456"

    let configuration: PostgresConfiguration
    let stores: Stores
    let key: SigningKey
    let app: App.ID
    /// Of both environments together.
    let record: Record
    let phones: DeviceTable
    let production: SimulatorServer
    let sandbox: SimulatorServer
    let log = EventLog()
    /// The payloads that Apple accepted.
    let inbox: Inbox
    let logger: Logger

    var pool: PostgresPool { stores.pool }
    var sealingKeys: SealingKeyRing { stores.sealingKeys }
    var campaigns: CampaignStore { stores.campaigns }
    var runs: RunStore { stores.runs }
    var credentials: CredentialStore { stores.credentials }
    var contents: ContentLoader {
        ContentLoader(stores: stores, media: MediaURLResolver(media: stores.media, publicURL: ""))
    }
    var starter: CampaignStarter { CampaignStarter(stores: stores, contents: contents) }
    var trigger: CampaignTrigger { CampaignTrigger(stores: stores, contents: contents) }
    var forecasts: Forecaster {
        var forecaster = Forecaster(stores: stores, contents: contents)
        // The result does not depend on how busy the machine is.
        forecaster.budget = .seconds(60)
        return forecaster
    }

    private static var criticalLogger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    static func run(
        credential: Bool = true, _ configure: (inout SimulatorConfiguration) -> Void = { _ in },
        observe: (@Sendable (ObservedPush) -> Void)? = nil, logger: Logger = Self.criticalLogger,
        _ body: @escaping (DispatcherFixture) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase { configuration in
            try await run(
                on: configuration, credential: credential, configure, observe: observe, logger: logger
            ) { bench in
                try await body(bench)
                try await bench.expectSortedLists()
            }
        }
    }

    /// Whatever happened to a run: the history of a device searches its lists of recipients by halves.
    private func expectSortedLists() async throws {
        let unsorted = try await pool.query(
            """
            SELECT id FROM batches
            WHERE run_id IS NOT NULL AND recipients <> ARRAY(SELECT id FROM unnest(recipients) AS id ORDER BY id)
            """)
        #expect(unsorted.isEmpty, "batches of runs have unsorted recipients")
    }

    /// On a database that the caller provides.
    static func run(
        on configuration: PostgresConfiguration, credential: Bool = true,
        _ configure: (inout SimulatorConfiguration) -> Void = { _ in },
        observe: (@Sendable (ObservedPush) -> Void)? = nil, logger: Logger = Self.criticalLogger,
        _ body: @escaping (DispatcherFixture) async throws -> Void
    ) async throws {
        try await TestLoop.run { loop in
            let pool = PostgresPool(configuration, on: loop, logger: logger)
            let sealingKeys = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
            let key = try SigningKey.generate()
            let loops = try EventLoopGroup(count: 1, name: "apple")
            defer { loops.stop() }
            let record = Record()
            let phones = DeviceTable()
            var apple = SimulatorConfiguration()
            apple.acceptsUnknownTokens = false
            apple.keys = [
                ProviderKey(keyID: keyID, teamID: teamID, publicKey: key.publicKey, bundleIDs: [bundleID])
            ]
            configure(&apple)
            let inbox = Inbox()
            func listener(_ environment: SimulatorConfiguration.Environment) throws -> SimulatorServer {
                apple.environment = environment
                let server = try SimulatorServer(
                    configuration: apple, devices: phones, record: record, loops: loops, logger: logger,
                    deliver: { inbox.take($0) }, observe: observe)
                try server.start()
                return server
            }
            let (production, sandbox) = (try listener(.production), try listener(.sandbox))
            let stores = Stores(pool: pool, sealingKeys: sealingKeys)
            let app = try await stores.apps.create(
                AppSettings(name: "Bell", bundleID: BundleID(bundleID)))
            let bench = DispatcherFixture(
                configuration: configuration, stores: stores, key: key, app: app.id,
                record: record, phones: phones, production: production, sandbox: sandbox, inbox: inbox,
                logger: logger)
            if credential { try await bench.addCredential(to: app.id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await production.run() }
                group.addTask { try await sandbox.run() }
                try await body(bench)
                group.cancelAll()
            }
            await pool.close()
        }
    }

    func addCredential(to app: App.ID) async throws {
        _ = try await credentials.create(
            app: app, keyID: KeyID(Self.keyID), teamID: TeamID(Self.teamID), key: key,
            environments: [.production, .development])
    }

    // MARK: Devices

    static func token(_ number: Int) -> [UInt8] {
        (0..<32).map { $0 < 24 ? 0xab : UInt8(truncatingIfNeeded: number >> (8 * (31 - $0))) }
    }

    /// The expression of `token` in SQL.
    private static let tokens: PostgresQuery = "decode(repeat('ab', 24), 'hex') || int8send(n)"

    /// Registers these numbers with Belfry and with Apple.
    func addDevices(
        _ numbers: ClosedRange<Int>, _ environment: PushEnvironment = .production, app: App.ID? = nil,
        topic: String = Self.bundleID, columns: [String: PostgresQuery] = [:]
    ) async throws {
        for number in numbers {
            phones.add(
                token: Self.token(number), environment: environment == .production ? .production : .sandbox,
                topic: topic)
        }
        let defaults: [String: PostgresQuery] = ["environment": "\(environment)", "token": Self.tokens]
        try await pool.insertDevices(numbers, of: app ?? self.app, defaults.merging(columns) { $1 })
    }

    /// Another app, for whose bundle id the simulator's key must be good.
    func addApp(_ bundleID: String, devices: ClosedRange<Int>) async throws -> App.ID {
        let other = try await stores.apps.create(
            AppSettings(name: "Other", bundleID: BundleID(bundleID)))
        try await addCredential(to: other.id)
        try await addDevices(devices, app: other.id, topic: bundleID)
        return other.id
    }

    /// The number of times that Apple accepted a push for the device.
    func accepted(_ number: Int) -> Int { Int(record.token(Self.token(number)).accepted) }
    func requests(_ number: Int) -> Int { Int(record.token(Self.token(number)).requests) }

    // MARK: Campaigns

    /// Started, though no worker knows of it.
    func campaign(
        _ policy: UnknownPolicy = .resend, app: App.ID? = nil, topic: TopicKey? = nil,
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) async throws -> Campaign.ID {
        let app = app ?? self.app
        var content = CampaignContent(
            name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#, unknownPolicy: policy, topic: topic)
        change(&content)
        let campaign = try await campaigns.create(app: app, content)
        return try await campaigns.start(campaign.id, app: app).id
    }

    /// A campaign's run, planned to its end before any worker is there.
    func plannedRun(_ policy: UnknownPolicy = .resend) async throws -> Run.ID {
        _ = try await campaign(policy)
        let run = try await startedRun()
        try await plan(run)
        return run
    }

    /// The run of the campaign that is due.
    func startedRun() async throws -> Run.ID {
        guard case .run(let key) = try await starter.startDue().first else { throw NotStarted() }
        return key.id
    }

    struct NotStarted: Error {}

    func key(_ run: Run.ID) -> Run.Key { Run.Key(app: app, id: run) }

    /// To its end.
    func plan(_ run: Run.ID, size: Int = PlanStore.stepSize) async throws {
        let planner = stores.plans(owner: ProcessID())
        guard let rules = try await stores.planRules.rules(of: key(run)) else { throw NotStarted() }
        func step() async throws -> PlanStore.Step {
            try await planner.step(run, by: rules, size: size, lease: .seconds(1), to: .simulator)
        }
        while case .planned = try await step() {}
    }

    /// Waits for a change that a worker makes in the database and no event reports.
    func until(_ isMet: () async throws -> Bool) async throws {
        while try await !isMet() { try await pool.loop.sleep(for: .milliseconds(10)) }
    }

    func untilPaused(_ run: Run.ID) async throws {
        try await until { try await runs.find(run, app: app).state == .paused }
    }

    func run(of campaign: Campaign.ID) async throws -> RunRecord {
        try await runs.list(campaign: campaign, app: app, before: nil, limit: 1)[0]
    }

    struct Delivery: Equatable {
        let kind: OutcomeKind
        let reason: String
        let isResent: Bool
    }

    /// The whole ledger, by the devices' numbers: where each stands in the end.
    func deliveries(of run: Run.ID? = nil) async throws -> [Int: Delivery] {
        let rows = try await pool.query(
            """
            SELECT v.installation::bigint, d.outcome, coalesce(d.reason, ''), d.is_resent
            FROM bi.deliveries d JOIN devices v ON v.app_id = d.app_id AND v.id = d.device_id
            WHERE d.run_id = \(run) OR \(run == nil)
            """)
        var all: [Int: Delivery] = [:]
        for row in rows {
            all[try row[0]] = Delivery(kind: try row[1], reason: try row[2], isResent: try row[3])
        }
        return all
    }

    final class Inbox: Sendable {
        private let payloads = Lock<[JSON]>([])
        private let arrival = Lock<Double?>(nil)

        /// Of the last that came, in seconds since 1970.
        var lastArrival: Double? { arrival.withLock { $0 } }

        func take(_ push: DeliveredPush) {
            arrival.withLock { $0 = Date().timeIntervalSince1970 }
            guard let json = try? JSON(parsing: Array(push.payload)) else { return }
            payloads.withLock { $0.append(json) }
        }

        /// As they were written, in order of the alphabet.
        var all: [JSON] { payloads.withLock { $0 } }

        var alerts: [String] {
            payloads.withLock { payloads in
                payloads.compactMap { $0["aps"]?["alert"].map { String(decoding: $0.encoded(), as: UTF8.self) } }
            }.sorted()
        }
    }

    // MARK: Workers

    /// For tests in which leases end or Apple is silent: others leave a busy machine its time.
    static var hastyOptions: DispatcherOptions {
        var options = options
        options.lease = .seconds(8)
        options.apns.requestDeadline = .seconds(4)
        return options
    }

    static var options: DispatcherOptions {
        var options = DispatcherOptions()
        options.lease = .seconds(60)
        options.renewal = .milliseconds(500)
        options.margin = .milliseconds(200)
        options.poll = .milliseconds(50)
        options.beat = .milliseconds(50)
        options.idleBeat = .milliseconds(200)
        options.longestSilence = .seconds(1)
        options.retryDelays = [.milliseconds(100), .milliseconds(100), .milliseconds(100)]
        options.retryLater = .milliseconds(300)
        options.retryDeviceLater = .milliseconds(200)
        options.longestRetry = .milliseconds(400)
        options.unavailableRetryDelay = .milliseconds(100)
        options.drain = .seconds(20)
        options.apns.requestDeadline = .seconds(30)
        options.apns.connectionSpacing = .milliseconds(10)
        options.apns.shortestPause = .milliseconds(50)
        options.apns.longestPause = .milliseconds(200)
        return options
    }

    /// A worker in this process while the body runs; then it is told to end, and has ended on return.
    func withWorker(
        _ options: DispatcherOptions = Self.options, log: EventLog? = nil, owner: ProcessID = ProcessID(),
        metrics: TestMetrics = TestMetrics(), _ body: () async throws -> Void
    ) async throws {
        let log = log ?? self.log
        let loop = try EventLoop(name: "worker")
        defer { loop.stop() }
        let pool = PostgresPool(configuration, limits: .init(connections: 4), on: loop, logger: logger)
        func endpoint(_ server: SimulatorServer) throws -> APNSEndpoint {
            APNSEndpoint(host: "localhost", port: try server.port ?? 0, trust: .pem(server.certificatePEM))
        }
        let listener = PostgresListener(
            configuration, channels: ["belfry_campaigns", "belfry_runs", "belfry_tag_changes"], on: loop, logger: logger
        )
        let service = try DispatcherService(
            stores: Stores(pool: pool, sealingKeys: sealingKeys),
            endpoints: APNSEndpoints(production: try endpoint(production), development: try endpoint(sandbox)),
            options: options, owner: owner, loop: loop, listener: listener, logger: logger,
            metrics: metrics, onEvent: { log.add($0) })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: service, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "worker")
                ],
                gracefulShutdownSignals: [], logger: logger))
        async let running: Void = group.run()
        do {
            try await body()
        } catch {
            await group.triggerGracefulShutdown()
            try await running
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running
        await withTaskExecutorPreference(loop) { await pool.close() }
    }

    /// Runs a worker until so many runs have ended, all of them verified.
    func work(
        _ options: DispatcherOptions = Self.options, runs: Int = 1, metrics: TestMetrics = TestMetrics(),
        _ meanwhile: () async throws -> Void = {}
    ) async throws {
        try await withWorker(options, metrics: metrics) {
            try await meanwhile()
            await log.wait { $0.count(where: \.isFinish) >= runs }
        }
        guard log.events.allSatisfy({ !$0.isFinish || $0.isVerifiedFinish }) else { throw NotVerified() }
    }

    struct NotVerified: Error {}
}
