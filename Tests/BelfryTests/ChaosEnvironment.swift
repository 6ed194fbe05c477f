import APNSSimulator
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import PrivatePostgres
import Store
import TestSupport

/// A temporary PostgreSQL, a simulated APNs in this process, a started campaign that no worker has claimed yet, and
/// worker processes.
struct ChaosEnvironment {
    static let bundleID = "com.example.Bell"
    static let keyID = "BELL123456"
    static let teamID = "TEAM123456"
    static let devices = 20_000

    let cluster: LocalCluster
    let pool: PostgresPool
    let loop: EventLoop
    let apple: SimulatorServer
    let app: App.ID
    let campaign: Campaign.ID
    private let folder: URL
    private let sealingKey: String
    private let logger: Logger

    static func run(_ policy: UnknownPolicy, _ body: @escaping (ChaosEnvironment) async throws -> Void) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let loop = try EventLoop(name: "test")
        let loops = try EventLoopGroup(count: 1, name: "apple")
        defer {
            loops.stop()
            loop.stop()
        }
        try await withTaskExecutorPreference(loop) {
            try await ScratchFolder.with { folder in
                var options = LocalCluster.Options()
                options.fsync = false
                let cluster = try await LocalCluster.start(
                    directory: folder.appending(path: "postgres").path, options: options, logger: logger)
                do {
                    try await build(policy, cluster, loop, loops, folder, logger, body)
                } catch {
                    await cluster.stopImmediately()
                    throw error
                }
                await cluster.stopImmediately()
            }
        }
    }

    private static func build(
        _ policy: UnknownPolicy, _ cluster: LocalCluster, _ loop: EventLoop, _ loops: EventLoopGroup, _ folder: URL,
        _ logger: Logger, _ body: (ChaosEnvironment) async throws -> Void
    ) async throws {
        let migrations = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Migrations")
        let connection = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: logger)
        _ = try await Migrator(directory: migrations.standardized.path()).apply(on: connection)
        await connection.close()

        let pool = PostgresPool(cluster.configuration, limits: .init(connections: 2), on: loop, logger: logger)
        let text = try Hex.encode(RandomBytes.make(count: AESGCM.keyLength))
        let sealingKeys = try SealingKeyRing(text: text)
        let key = try SigningKey.generate()
        let stores = Stores(pool: pool, sealingKeys: sealingKeys)
        let app = try await stores.apps.create(
            AppSettings(name: "Bell", bundleID: BundleID(bundleID))
        ).id
        _ = try await stores.credentials.create(
            app: app, keyID: KeyID(keyID), teamID: TeamID(teamID), key: key, environments: [.production])
        try await pool.insertDevices(
            1...devices, of: app, ["token": "decode(repeat('ab', 24), 'hex') || int8send(n)"])
        let campaign = try await stores.campaigns.create(
            app: app, CampaignContent(name: "Ring", payload: #"{"aps":{"alert":"Ding"}}"#, unknownPolicy: policy)
        ).id
        _ = try await stores.campaigns.start(campaign, app: app)

        var configuration = SimulatorConfiguration()
        configuration.keys = [
            ProviderKey(keyID: keyID, teamID: teamID, publicKey: key.publicKey, bundleIDs: [bundleID])
        ]
        configuration.streams.afterToken = 100
        let apple = try SimulatorServer(configuration: configuration, loops: loops, logger: logger)
        // Slow enough that tests act during the run.
        apple.faults = Faults([.init(.delay(by: .milliseconds(50)))])
        try apple.start()
        try Data(apple.certificatePEM.utf8).write(to: folder.appending(path: "apple.pem"))

        let environment = ChaosEnvironment(
            cluster: cluster, pool: pool, loop: loop, apple: apple, app: app, campaign: campaign, folder: folder,
            sealingKey: text, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await apple.run() }
            try await body(environment)
            group.cancelAll()
        }
        await pool.close()
    }

    static func token(_ number: Int) -> [UInt8] {
        (0..<32).map { $0 < 24 ? 0xab : UInt8(truncatingIfNeeded: number >> (8 * (31 - $0))) }
    }

    func accepted(_ number: Int) -> Int { Int(apple.record.token(Self.token(number)).accepted) }

    // MARK: Workers

    /// Runs a worker with short leases while the body runs.
    func withWorker(
        environment: [String: String] = [:], _ body: (BelfryProcess) async throws -> Void
    ) async throws {
        let worker = try await BelfryProcess(
            [
                "work", "--database-url", cluster.url, "--state", folder.appending(path: "var").path,
                "--apns-host", "localhost", "--apns-port", "\(apple.port ?? 0)",
                "--apns-ca-file", folder.appending(path: "apple.pem").path, "--log-level", "error",
            ],
            in: folder,
            environment: [
                "BELFRY_SEALING_KEY": sealingKey, "BELFRY_LEASE_SECONDS": "4", "BELFRY_RENEWAL_SECONDS": "1",
                "BELFRY_REQUEST_DEADLINE_SECONDS": "2", "BELFRY_UNSAFE_SERVER": "true",
            ].merging(environment) { $1 })
        do {
            try await body(worker)
        } catch {
            worker.send(SIGKILL)
            throw error
        }
        worker.send(SIGTERM)
        _ = try await worker.ending()
    }

    // MARK: The ledger

    /// Waits until the run of the campaign, or of another one, has finished. The database may restart meanwhile.
    func untilFinished(_ other: Campaign.ID? = nil) async throws -> RunRecord {
        let listener = PostgresListener(cluster.configuration, channels: ["belfry_runs"], on: loop, logger: logger)
        for await _ in listener {
            let runs = try await RunStore(pool: pool).list(
                campaign: other ?? campaign, app: app, before: nil, limit: 1)
            if let run = runs.first, run.finishedAt != nil { return run }
        }
        throw CancellationError()
    }

    /// For each leased batch: the number of recipients that may have been sent to and have no outcome.
    func ambiguous() async throws -> [Int] {
        try await pool.query(
            """
            SELECT (SELECT count(*) FROM generate_series(0, sent_through - 1) AS place
                WHERE get_byte(outcomes, place) % 128 = 0)
            FROM batches WHERE state = 'leased' ORDER BY id
            """
        ).map { try $0[0] }
    }

    struct Delivery {
        let number: Int
        let kind: OutcomeKind
        let reason: String
        let isResent: Bool
    }

    func deliveries() async throws -> [Delivery] {
        try await pool.query(
            """
            SELECT v.installation::bigint, d.outcome, coalesce(d.reason, ''), d.is_resent
            FROM bi.deliveries d JOIN devices v ON v.app_id = d.app_id AND v.id = d.device_id
            """
        ).map { Delivery(number: try $0[0], kind: try $0[1], reason: try $0[2], isResent: try $0[3]) }
    }
}
