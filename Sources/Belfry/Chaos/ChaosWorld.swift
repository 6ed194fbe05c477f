import APNSSimulator
import Campaigns
import Crypto
import EventLoop
import FoundationEssentials
import Logging
import Notifications
import Postgres
import Store

/// A PostgreSQL of its own with an app and its devices, a simulated Apple in this process, and a campaign that is ready
/// to start.
struct ChaosWorld {
    static let bundleID = "com.example.chaos"
    private static let keyID = "CHAOSKEY01"
    private static let teamID = "CHAOSTEAM1"
    /// Streams of one connection: fewer for a small audience, or all of it would be on the wire at once.
    static func streams(devices: Int) -> Int { min(500, max(250, devices / 100)) }
    /// One device in so many has lost its app.
    private static let unregisteredEvery = 50
    private static let devicesPerRead = 50_000

    let cluster: LocalCluster
    let stores: Stores
    let apple: SimulatorServer
    let app: App.ID
    let campaign: Campaign.ID
    let devices: Int
    /// What a worker has to be told.
    let workerArguments: [String]

    var audit: ChaosAudit { ChaosAudit(pool: stores.pool) }
    var runs: RunStore { stores.runs }
    var campaigns: CampaignStore { stores.campaigns }

    /// `cluster` stays the caller's, whatever happens here.
    static func build(
        _ schedule: ChaosSchedule, _ policy: UnknownPolicy, devices: Int, cluster: LocalCluster, folder: String,
        loops: EventLoopGroup, on loop: EventLoop, logger: Logger
    ) async throws -> ChaosWorld {
        var settings = Settings()
        settings.stateDirectory = folder
        settings.databaseURL = cluster.url
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
        let campaign = try await stores.campaigns.create(
            app: app,
            CampaignContent(
                name: "Chaos", payload: #"{"aps":{"alert":{"title":"Chaos","body":"Kill it yourself."}}}"#,
                unknownPolicy: policy)
        ).id
        let world = ChaosWorld(
            cluster: cluster, stores: stores, apple: apple, app: app, campaign: campaign, devices: devices,
            workerArguments: [
                "--state", folder, "--apns-host", "localhost", "--apns-port", "\(try apple.port ?? 0)",
                "--apns-ca-file", "\(folder)/apple.pem",
            ])
        try await world.unregisterSome()
        return world
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

    /// Some phones have lost the app since they registered: a campaign without rejections would be no real one.
    private func unregisterSome() async throws {
        try await eachTarget { place, target in
            guard place.isMultiple(of: Self.unregisteredEvery) else { return }
            let number = apple.devices.add(token: target.token, environment: .production, topic: Self.bundleID)
            apple.devices.unregister(number, at: Date())
        }
    }

    /// Everybody in the audience, by ascending ids.
    func eachTarget(_ body: (Int, ChaosAudit.Target) -> Void) async throws {
        var (place, last) = (0, Int64(0))
        while true {
            let page = try await audit.targets(of: app, after: last, limit: Self.devicesPerRead)
            for target in page {
                body(place, target)
                place += 1
            }
            guard let end = page.last else { return }
            last = end.device
        }
    }
}
