import APNS
import APNSSimulator
import Administration
import Application
import Campaigns
import Crypto
import Dispatcher
import EventLoop
import HTTPServer
import Logging
import Notifications
import Postgres
import ServiceLifecycle
import Store
import TLS

/// The parts of `belfry demo` in one process: Belfry, a simulated APNs, a fleet of virtual phones, and an app whose
/// credential the simulator accepts.
struct DemoEnvironment {
    static let bundleID = "com.example.belfry.demo"
    static let keyID = "BELFRYDEMO"
    static let teamID = "DEMOTEAM01"
    static let adminEmail = "demo@belfry.example"
    /// The lifetime of the key with which the demo itself uses the API; the next run has another key.
    private static let keyLifetime = Duration.seconds(7 * 86_400)

    let settings: Settings
    let database: Database
    let listing: ProcessListing
    let web: WebServer
    let worker: Worker
    let webhooks: WebhookWorker
    let simulator: SimulatorServer
    let fleet: Fleet
    let phones: DemoPhones
    let api: APIClient
    /// The token of an address that signs the demo's admin in, once.
    let signInLink: String
    let app: String
    let port: UInt16
    let loop: EventLoop
    let simulatorLoops: EventLoopGroup

    /// Builds all parts. Only the database and the simulator's socket are running afterwards.
    static func build(
        _ settings: Settings, devices: Int, seed: UInt64, logger: Logger
    ) async throws -> DemoEnvironment {
        var settings = settings
        let loop = try EventLoop(name: "demo")
        let database = try await withTaskExecutorPreference(loop) {
            try await DemoDatabase.open(settings, on: loop, logger: logger)
        }
        let keys = SimulatorKeys(directory: "\(settings.stateDirectory)/simulator", keyID: keyID)
        let key = try keys.signingKey()
        let simulatorLoops = try EventLoopGroup(count: 1, name: "apple")
        let stores = database.stores(on: loop, logger: logger)
        let (app, adminKey, publishableKey, signInLink) = try await withTaskExecutorPreference(loop) {
            let (app, adminKey, publishableKey) = try await prepareApp(stores, key: key)
            return (app, adminKey, publishableKey, try await prepareAdmin(stores))
        }
        await stores.pool.close()

        // The server sends test pushes to the simulator, and the fleet registers with the server.
        let phones = DemoPhones(fleetSize: devices, loop: loop, logger: logger)
        var apple = SimulatorConfiguration()
        apple.seed = seed
        apple.authority = try keys.authority()
        apple.acceptsUnknownTokens = false
        // People add apps of their own, with any key.
        apple.acceptsUnknownKeys = true
        apple.keys = [
            ProviderKey(keyID: keyID, teamID: teamID, publicKey: key.publicKey, bundleIDs: [bundleID])
        ]
        let simulator = try SimulatorServer(
            configuration: apple, devices: phones.table, loops: simulatorLoops, logger: logger,
            deliver: phones.receive)
        try simulator.start()
        let endpoint = APNSEndpoint(
            host: "localhost", port: try simulator.port ?? 0, trust: .pem(simulator.certificatePEM))
        settings.endpoints = APNSEndpoints(production: endpoint, development: endpoint)
        let services = Services(settings: settings, database: database, logger: logger)
        let listing = try services.makeListing(.demo)
        let web = try services.makeWeb(phones: phones)
        let port = web.servers[0].address.port ?? settings.port
        var fleetConfiguration = FleetConfiguration(
            bundleID: bundleID, appID: app.description, publishableKey: publishableKey, host: "127.0.0.1", port: port)
        fleetConfiguration.count = devices
        fleetConfiguration.seed = seed
        fleetConfiguration.connections = 128
        fleetConfiguration.buttons = try DemoContent.buttons()
        fleetConfiguration.replies = DemoContent.replies
        fleetConfiguration.likings = DemoContent.likings
        let fleet = Fleet(configuration: fleetConfiguration, devices: phones.table, loop: loop, logger: logger)
        phones.start(fleet, port: port)
        let worker = try services.makeDispatcher()
        let webhooks = try services.makeWebhooks()
        return DemoEnvironment(
            settings: settings, database: database, listing: listing, web: web, worker: worker, webhooks: webhooks,
            simulator: simulator,
            fleet: fleet, phones: phones,
            api: APIClient(port: port, key: adminKey, on: loop), signInLink: signInLink, app: app.description,
            port: port,
            loop: loop, simulatorLoops: simulatorLoops)
    }

    /// Returns the demo's app, with a credential for this run's simulator. The app of an earlier run is reused.
    private static func prepareApp(
        _ stores: Stores, key: SigningKey
    ) async throws -> (App.ID, adminKey: String, publishableKey: String) {
        let apps = stores.apps
        let bundle = try BundleID(bundleID)
        let known = try await apps.list(only: nil, before: nil, limit: 200).first { $0.settings.bundleID == bundle }
        let app: App.ID
        if let known {
            app = known.id
        } else {
            app = try await apps.create(
                AppSettings(
                    name: "Bell Tower (demo)", bundleID: bundle,
                    newInstallationsPerMinute: AppSettings.maximumNewInstallationsPerMinute)
            ).id
        }
        let credentials = stores.credentials
        if try await credentials.list(app: app, before: nil, limit: 1).isEmpty {
            _ = try await credentials.create(
                app: app, keyID: try KeyID(keyID), teamID: try TeamID(teamID), key: key,
                environments: [.production, .development])
        }
        let keys = stores.apiKeys
        let admin = try await keys.create(
            app: nil, kind: .secret, name: "demo", scopes: Set(Permission.allCases), expiresAt: .now + keyLifetime)
        let publishable = try await keys.create(app: app, kind: .publishable, name: "demo phones", scopes: [])
        return (app, admin.text, publishable.text)
    }

    /// The admin who opens the demo's address, of an earlier run too.
    private static func prepareAdmin(_ stores: Stores) async throws -> String {
        let email = try EmailAddress(adminEmail)
        let admin: UserRecord
        if let known = try await stores.users.find(email) {
            admin = known
        } else {
            admin = try await stores.users.create(email, name: "Demo", roles: [RoleAssignment(.admin)])
        }
        return try await stores.signInLinks.create(.signIn, for: admin.id, lifetime: SignIn.setUpLifetime)
    }

    /// Fills the app with templates, campaigns and what else a workspace has, unless an earlier run did.
    func fillWorkspace(_ logger: Logger) async throws {
        let pool = PostgresPool(database.configuration, on: loop, logger: logger)
        do {
            try await DemoWorkspace(
                api: api, fleet: fleet, history: RunHistoryStore(pool: pool), app: app, loop: loop
            ).fill()
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    var services: [any Service] { [listing, web, worker, webhooks, simulator, fleet, phones] }

    func close() async {
        await database.close()
        simulatorLoops.stop()
        loop.stop()
    }
}
