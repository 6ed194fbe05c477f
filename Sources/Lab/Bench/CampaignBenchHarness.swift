import APNSSimulator
import Belfry
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import PrivatePostgres
import Store

/// The harness of the campaign benchmark: a PostgreSQL, a simulated APNs, and apps with devices. Workers are separate
/// processes, so that their processor time and memory can be measured.
struct CampaignBenchHarness: Sendable {
    /// The parameters of a measurement.
    struct Scenario: Sendable {
        let app: App.ID
        let devices: Int
        /// The number of campaigns, sent in sequence by the same workers.
        var campaigns = 1
        var workers = 1
        /// Connections of each worker.
        var connections = 2
        var pushesPerSecond: Int?
        /// Added to each payload, in bytes.
        var padding = 0
        var audience = Audience.everybody
        /// Whether the campaign is cancelled once most pushes were accepted, because some never are.
        var isCancelled = false
    }

    struct Measure: Sendable {
        /// Pushes per second from a run's start to its verification; the median of several campaigns.
        let rate: Double
        let processorMicroseconds: Double
        let peakMegabytes: Double
        let walBytes: Double
        /// Pushes per second at the simulator in the middle of the run.
        let middleRate: Double
    }

    /// The part of the pushes for `middleRate`. Before it, connections are opened one after another; after it, the last
    /// batches have fewer windows than there are connections.
    static let middle = 0.2..<0.8
    static let longestRun = Duration.seconds(600)

    let apple: BenchmarkAPNS
    let stores: Stores
    let databaseURL: String
    let path: String
    let authority: String
    let loop: EventLoop

    /// Opens a harness, runs the body on the harness's loop, and closes the harness.
    static func with<Result: Sendable>(
        addsLatency: Bool = false, _ body: @escaping @Sendable (CampaignBenchHarness) async throws -> Result
    ) async throws -> Result {
        let scratch = try TemporaryDirectory("campaign")
        defer { scratch.remove() }
        let apple = try BenchmarkAPNS(addsLatency: addsLatency)
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
        _ apple: BenchmarkAPNS, _ path: String, on loop: EventLoop,
        _ body: @Sendable (CampaignBenchHarness) async throws -> Result
    ) async throws -> Result {
        let logger = Logger.make(level: .warning)
        var settings = Settings()
        settings.stateDirectory = path
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the benchmark requires its own PostgreSQL") }
        let authority = "\(path)/ca.pem"
        try TextFile.write(apple.simulator.certificatePEM, to: authority)
        let stores = database.stores(on: loop, logger: logger)
        let harness = CampaignBenchHarness(
            apple: apple, stores: stores, databaseURL: cluster.url, path: path,
            authority: authority, loop: loop)
        let result = try await body(harness)
        await stores.pool.close()
        await database.close()
        return result
    }

    /// Creates an app with this many devices. Call once for each size.
    func app(devices: Int) async throws -> App.ID {
        try await CampaignBench.prepare(
            devices: devices, bundleID: BenchmarkAPNS.bundleID(devices: devices), stores: stores,
            apple: apple)
    }

    func measure(_ scenario: Scenario) async throws -> Measure {
        let data = BenchData(pool: stores.pool)
        let campaigns = stores.campaigns
        var waiting: [Campaign.ID] = []
        for _ in 0..<scenario.campaigns { waiting.append(try await campaign(scenario)) }
        try await data.checkpoint()
        let workers = try await startWorkers(scenario, data)
        defer { for worker in workers { worker.terminate() } }
        // The workers' startup does not count.
        let before = try workers.map { try $0.usage().processorSeconds }.reduce(0, +)
        let wal = try await data.walPosition()
        async let middleRate = middleRate(of: scenario.devices, since: accepted)
        var seconds: [Double] = []
        for campaign in waiting {
            _ = try await campaigns.start(campaign, app: scenario.app)
            if scenario.isCancelled {
                _ = try await middleRate
                _ = try await campaigns.cancel(campaign, app: scenario.app)
            }
            seconds.append(try await waitForEnd(of: campaign, data))
        }
        let middle = try await middleRate
        let usages = try workers.map { try $0.usage() }
        let pushes = Double(scenario.devices * scenario.campaigns)
        return Measure(
            rate: Double(scenario.devices) / seconds.median,
            processorMicroseconds: (usages.map(\.processorSeconds).reduce(0, +) - before) / pushes * 1e6,
            peakMegabytes: usages.map(\.peakMegabytes).max() ?? 0,
            walBytes: Double(try await data.walPosition() - wal) / pushes, middleRate: middle)
    }

    private func startWorkers(_ scenario: Scenario, _ data: BenchData) async throws -> [BelfrySubprocess] {
        let workers = try (0..<scenario.workers).map { _ in
            try BelfrySubprocess(
                [
                    "work", "--state", path, "--apns-host", "localhost", "--apns-port", "\(apple.port)",
                    "--apns-ca-file", authority, "--apns-connections", "\(scenario.connections)", "--log-level",
                    "warning",
                ],
                environment: ["DATABASE_URL": databaseURL], on: loop)
        }
        let deadline = MonotonicTime.now() + Self.longestRun
        while try await data.listeners() < workers.count {
            guard .now() < deadline else {
                throw CommandFailure("the workers did not start within \(Self.longestRun)")
            }
            try await loop.sleep(for: .milliseconds(20))
        }
        return workers
    }

    /// Creates a personalised campaign: two placeholders, one of them with a filter.
    func campaign(_ scenario: Scenario) async throws -> Campaign.ID {
        let padding = scenario.padding > 0 ? #", "story": "\#(String(repeating: "x", count: scenario.padding))""# : ""
        let template = try await stores.templates.create(
            app: scenario.app, name: "Bench",
            content: #"""
                {"payload": {"aps": {"alert": {"title": "Hi {{ first_name | default: 'there' }}",
                    "body": "Tonight at eight the ringers of {{ city }} play for you."}, "sound": "default"}\#(padding)}}
                """#)
        var content = CampaignContent(
            name: "Bench", body: .template(TemplateReference(id: template.id, version: template.version)))
        content.audience = scenario.audience
        content.pushesPerSecond = scenario.pushesPerSecond
        return try await stores.campaigns.create(app: scenario.app, content).id
    }

    /// Pushes that the simulator has accepted so far.
    var accepted: Int {
        switch apple.simulator.configuration.mode {
        case .validating: apple.simulator.record.counts.accepted
        case .acceptAll: apple.simulator.acceptAllPushes
        }
    }

    /// Pushes per second within `middle` of the pushes after the first `earlier`.
    private func middleRate(of devices: Int, since earlier: Int) async throws -> Double {
        var began: (at: MonotonicTime, count: Int)?
        let deadline = MonotonicTime.now() + Self.longestRun
        while .now() < deadline {
            let (now, count) = (MonotonicTime.now(), accepted - earlier)
            let part = Double(count) / Double(devices)
            if let began, part >= Self.middle.upperBound {
                return Double(count - began.count) / (now - began.at).seconds
            }
            if began == nil, part >= Self.middle.lowerBound { began = (now, count) }
            try await loop.sleep(for: .milliseconds(5))
        }
        throw CommandFailure("the simulator did not accept most of the campaign within \(Self.longestRun)")
    }

    /// Waits for the end of the run; returns the seconds from its start to its verification, on the database's clock.
    @discardableResult
    func waitForEnd(of campaign: Campaign.ID, _ data: BenchData) async throws -> Double {
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
