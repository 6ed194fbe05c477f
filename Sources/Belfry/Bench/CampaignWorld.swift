import APNSSimulator
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// What campaigns are measured in: a PostgreSQL, an Apple, and apps with devices. The workers are processes of their own,
/// so that their processor time and memory are their own; PostgreSQL and the simulator run beside them.
struct CampaignWorld: Sendable {
    /// How a campaign is sent.
    struct Field: Sendable {
        let app: App.ID
        let devices: Int
        /// As many, one after another, by the same workers.
        var campaigns = 1
        var workers = 1
        /// Of each worker.
        var connections = 2
        var pace: Int?
    }

    struct Measure: Sendable {
        /// From a run's start to its verified end, pushes a second; of several campaigns the middle one.
        let rate: Double
        let processorMicroseconds: Double
        let peakMegabytes: Double
        let walBytes: Double
        /// At Apple's, in the middle of the run, where Apple keeps a record.
        let middleRate: Double
    }

    /// Apple's record is looked at between these parts of the pushes: before, connections are opened one after another;
    /// behind, the last batches have fewer windows than there are connections.
    static let middle = 0.2..<0.8
    static let longestRun = Duration.seconds(600)

    let apple: QuickApple
    let stores: Stores
    private let databaseURL: String
    private let path: String
    private let authority: String
    private let loop: EventLoop

    /// Opens a world, and closes it after the body, which runs on the world's loop.
    static func with<Result: Sendable>(
        isFar: Bool = false, _ body: @escaping @Sendable (CampaignWorld) async throws -> Result
    ) async throws -> Result {
        let scratch = try Scratch("campaign")
        defer { scratch.remove() }
        let apple = try QuickApple(isFar: isFar)
        let loop = try EventLoop(name: "bench")
        defer { loop.stop() }
        let path = scratch.path
        let result = try await withTaskExecutorPreference(loop) {
            try await Self.open(apple, path, on: loop, body)
        }
        await apple.stop()
        return result
    }

    private static func open<Result: Sendable>(
        _ apple: QuickApple, _ path: String, on loop: EventLoop,
        _ body: @Sendable (CampaignWorld) async throws -> Result
    ) async throws -> Result {
        let logger = Logger.make("bench", level: .warning)
        var settings = Settings()
        settings.stateDirectory = path
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the bench needs a PostgreSQL of its own") }
        let authority = "\(path)/ca.pem"
        try TextFile.write(apple.simulator.certificatePEM, to: authority)
        let stores = database.stores(on: loop, logger: logger)
        let world = CampaignWorld(
            apple: apple, stores: stores, databaseURL: cluster.url, path: path,
            authority: authority, loop: loop)
        let result = try await body(world)
        await stores.pool.close()
        await database.close()
        return result
    }

    /// An app with so many devices; of each size one.
    func app(devices: Int) async throws -> App.ID {
        try await CampaignBench.prepare(
            devices: devices, bundleID: QuickApple.bundleID(devices: devices), stores: stores,
            apple: apple)
    }

    func measure(_ field: Field) async throws -> Measure {
        let data = BenchData(pool: stores.pool)
        let campaigns = stores.campaigns
        var waiting: [Campaign.ID] = []
        for _ in 0..<field.campaigns { waiting.append(try await campaign(field)) }
        try await data.checkpoint()
        let workers = try await startWorkers(field, data)
        defer { for worker in workers { worker.terminate() } }
        // Coming up is not a matter of pushes.
        let before = try workers.map { try $0.usage().processorSeconds }.reduce(0, +)
        let wal = try await data.walPosition()
        async let middleRate = middleRate(of: field.devices)
        var seconds: [Double] = []
        for campaign in waiting {
            _ = try await campaigns.start(campaign, app: field.app)
            seconds.append(try await waitForEnd(of: campaign, data))
        }
        let middle = try await middleRate
        let usages = try workers.map { try $0.usage() }
        let pushes = Double(field.devices * field.campaigns)
        return Measure(
            rate: Double(field.devices) / seconds.median,
            processorMicroseconds: (usages.map(\.processorSeconds).reduce(0, +) - before) / pushes * 1e6,
            peakMegabytes: usages.map(\.peakMegabytes).max() ?? 0,
            walBytes: Double(try await data.walPosition() - wal) / pushes, middleRate: middle)
    }

    private func startWorkers(_ field: Field, _ data: BenchData) async throws -> [ChildBelfry] {
        let workers = try (0..<field.workers).map { _ in
            try ChildBelfry(
                [
                    "work", "--state", path, "--apns-host", "localhost", "--apns-port", "\(apple.port)",
                    "--apns-ca-file", authority, "--apns-connections", "\(field.connections)", "--log-level", "warning",
                ],
                environment: ["DATABASE_URL": databaseURL], on: loop)
        }
        let deadline = MonotonicTime.now() + Self.longestRun
        while try await data.listeners() < workers.count {
            guard .now() < deadline else {
                throw CommandFailure("the workers did not come up within \(Self.longestRun)")
            }
            try await loop.sleep(for: .milliseconds(20))
        }
        return workers
    }

    /// Personalised: two holes, of which one has a filter.
    private func campaign(_ field: Field) async throws -> Campaign.ID {
        let template = try await stores.templates.create(
            app: field.app, name: "Bench",
            content: #"""
                {"payload": {"aps": {"alert": {"title": "Hi {{ first_name | default: 'there' }}",
                    "body": "Tonight at eight the ringers of {{ city }} play for you."}, "sound": "default"}}}
                """#)
        var content = CampaignContent(
            name: "Bench", body: .template(TemplateReference(id: template.id, version: template.version)))
        content.pushesPerSecond = field.pace
        return try await stores.campaigns.create(app: field.app, content).id
    }

    /// What arrives a second between two parts of the pushes; zero where Apple keeps no record.
    private func middleRate(of devices: Int) async throws -> Double {
        guard apple.simulator.configuration.mode == .validating else { return 0 }
        var began: (at: MonotonicTime, count: Int)?
        let deadline = MonotonicTime.now() + Self.longestRun
        while .now() < deadline {
            let (now, count) = (MonotonicTime.now(), apple.simulator.record.counts.accepted)
            let part = Double(count) / Double(devices)
            if let began, part >= Self.middle.upperBound {
                return Double(count - began.count) / (now - began.at).seconds
            }
            if began == nil, part >= Self.middle.lowerBound { began = (now, count) }
            try await loop.sleep(for: .milliseconds(5))
        }
        throw CommandFailure("Apple has not accepted most of the campaign within \(Self.longestRun)")
    }

    /// Seconds from the run's start to its verified end, on the database's clock.
    private func waitForEnd(of campaign: Campaign.ID, _ data: BenchData) async throws -> Double {
        let deadline = MonotonicTime.now() + Self.longestRun
        while .now() < deadline {
            if let end = try await data.runEnd(of: campaign) {
                guard end.isVerified else { throw CommandFailure("the campaign's ledger does not balance") }
                return end.seconds
            }
            try await loop.sleep(for: .milliseconds(100))
        }
        throw CommandFailure("the campaign did not end within \(Self.longestRun)")
    }
}
