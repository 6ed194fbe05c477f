import APNSSimulator
import Belfry
import Campaigns
import Crypto
import EventLoop
import FoundationEssentials
import Logging
import Notifications
import Postgres
import Store

/// The environment of a chaos run: a temporary PostgreSQL with an app and its devices, a simulated APNs in this
/// process, and a campaign that is ready to start.
struct ChaosEnvironment {
    static let bundleID = "com.example.chaos"
    private static let keyID = "CHAOSKEY01"
    private static let teamID = "CHAOSTEAM1"
    /// The stream limit of a connection. A small audience has fewer, so that only a part of it is in flight at a time.
    static func streams(devices: Int) -> Int { min(500, max(250, devices / 100)) }
    /// The app was removed from one device in this many.
    private static let unregisteredEvery = 50
    private static let devicesPerRead = 50_000

    let database: ChaosDatabase
    let stores: Stores
    let apple: SimulatorServer
    let app: App.ID
    let campaign: Campaign.ID
    let devices: Int
    /// Arguments for the `work` command.
    let workerArguments: [String]

    var audit: ChaosAudit { ChaosAudit(pool: stores.pool) }
    var runs: RunStore { stores.runs }
    var campaigns: CampaignStore { stores.campaigns }

    /// The caller stops the servers, also after an error.
    static func build(
        _ schedule: ChaosSchedule, _ policy: UnknownPolicy, devices: Int, servers: ChaosDatabase, folder: String,
        loops: EventLoopGroup, on loop: EventLoop, logger: Logger
    ) async throws -> ChaosEnvironment {
        var settings = Settings()
        settings.stateDirectory = folder
        settings.databaseURL = servers.url
        // A quick run has no fsync.
        settings.allowsUnsafeServer = true
        let database = try await Database.open(settings, on: loop, logger: logger)
        let stores = database.stores(on: loop, logger: logger)
        let key = try SigningKey.generate()
        let app = try await stores.apps.create(
            AppSettings(name: "Chaos", bundleID: BundleID(bundleID))
        ).id
        _ = try await stores.credentials.create(
            app: app, keyID: KeyID(keyID), teamID: TeamID(teamID), key: key, environments: [.production])
        try await BenchData(pool: stores.pool).addDevices(devices, app: app)

        let apple = try makeApple(schedule, devices: devices, key: key, loops: loops, logger: logger)
        try apple.start()
        try TextFile.write(apple.certificatePEM, to: "\(folder)/apple.pem")
        let campaign = try await stores.campaigns.create(app: app, content(schedule, policy)).id
        let environment = ChaosEnvironment(
            database: servers, stores: stores, apple: apple, app: app, campaign: campaign, devices: devices,
            workerArguments: [
                "--state", folder, "--apns-host", "localhost", "--apns-port", "\(try apple.port ?? 0)",
                "--apns-ca-file", "\(folder)/apple.pem",
            ])
        try await environment.unregisterSome()
        return environment
    }

    private static func content(_ schedule: ChaosSchedule, _ policy: UnknownPolicy) -> CampaignContent {
        let payload = #"{"aps":{"alert":{"title":"Chaos","body":"Fault injection."}}}"#
        var content = CampaignContent(name: "Chaos", payload: payload, unknownPolicy: policy)
        if schedule.isTest {
            content.variants = ["A", "B"].map { CampaignVariant(name: $0, body: .payload(payload)) }
            content.weights = [500, 500]
            content.winner = WinnerRule(share: ChaosSchedule.testedShare, decision: .byHand)
        }
        return content
    }

    /// The run, while all that is left of it waits for the decision of an A/B test.
    func waiting() async throws -> RunRecord? {
        try await runs.list(campaign: campaign, app: app, before: nil, limit: 1).first { $0.awaitsDecision }
    }

    /// False when the decision was taken before.
    func decide(_ run: RunRecord) async throws -> Bool {
        try await stores.testDecisions.decide(run.key, NewTestDecision(variant: 1, reason: .byHand))
    }

    private static func makeApple(
        _ schedule: ChaosSchedule, devices: Int, key: SigningKey, loops: EventLoopGroup, logger: Logger
    ) throws -> SimulatorServer {
        var configuration = SimulatorConfiguration()
        configuration.seed = schedule.simulatorSeed
        configuration.streams.afterToken = streams(devices: devices)
        configuration.keys = [
            ProviderKey(keyID: keyID, teamID: teamID, publicKey: key.publicKey, bundleIDs: [bundleID])
        ]
        let apple = try SimulatorServer(configuration: configuration, loops: loops, logger: logger)
        apple.faults = schedule.faults(devices: devices)
        return apple
    }

    /// Unregisters some devices at the simulator, so that the campaign has rejections.
    private func unregisterSome() async throws {
        try await eachTarget { index, target in
            guard index.isMultiple(of: Self.unregisteredEvery) else { return }
            let number = apple.devices.add(token: target.token, environment: .production, topic: Self.bundleID)
            apple.devices.unregister(number, at: Date())
        }
    }

    /// Calls `body` with the index and the target of each recipient, by ascending device ids.
    func eachTarget(_ body: (Int, ChaosAudit.Target) -> Void) async throws {
        var (index, last) = (0, Int64(0))
        while true {
            let page = try await audit.targets(of: app, after: last, limit: Self.devicesPerRead)
            for target in page {
                body(index, target)
                index += 1
            }
            guard let end = page.last else { return }
            last = end.device
        }
    }
}
