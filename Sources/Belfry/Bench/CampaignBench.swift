import APNSSimulator
import Campaigns
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// A whole campaign: from rows in PostgreSQL over the wire to recorded outcomes. The worker is a
/// process of its own, so that its processor time and memory are its own; PostgreSQL and the
/// simulator's quick mode run beside it.
struct CampaignBench {
    /// The memory must not grow with the audience: measured here, too.
    static let smallSize = 100_000
    static let farSize = 150_000
    /// Far away, what four connections do is measured between these parts of the pushes: before, they are opened one after
    /// another; behind, the last batches have fewer windows than there are connections.
    static let farMiddle = 0.2..<0.8
    /// Pushes a second, by two workers together.
    static let pace = 30_000
    static let longestRun = Duration.seconds(600)

    let size: Int

    private struct Measure {
        let rate: Double
        let processorMicroseconds: Double
        let peakMegabytes: Double
        let walBytes: Double
        /// At Apple's, in the middle of the run.
        let middleRate: Double
    }

    func run(into report: inout BenchReport) async throws {
        let small = try await measure(Field(devices: Self.smallSize))
        let large = try await measure(Field(devices: size))
        let shared = try await measure(Field(devices: size, workers: 2))
        let paced = try await measure(Field(devices: 10 * Self.pace, workers: 2, pace: Self.pace))
        let far = try await measure(Field(devices: Self.farSize, connections: 4, isFar: true))
        let sender = report.rows.first { $0.name == "sender.rate" }?.value
        report.add("campaign.rate", large.rate, "/s", peer: sender.map { _ in "sender alone" }, peerValue: sender)
        report.add("campaign.cpu_us_per_push", large.processorMicroseconds, "µs")
        report.add("campaign.peak_rss_mb", large.peakMegabytes, "MB")
        report.add("campaign.wal_bytes_per_recipient", large.walBytes, "bytes")
        report.add("campaign_100k.rate", small.rate, "/s")
        report.add("campaign_100k.cpu_us_per_push", small.processorMicroseconds, "µs")
        report.add("campaign_100k.peak_rss_mb", small.peakMegabytes, "MB")
        report.add(
            "campaign_2_workers.rate", shared.rate, "/s", peer: "one worker", peerValue: large.rate)
        report.add("campaign_paced.rate", paced.rate, "/s", peer: "as told", peerValue: Double(Self.pace))
        report.add(
            "campaign_40ms.rate", far.middleRate, "/s", peer: "4 × 100 streams / 40 ms",
            peerValue: 4 * Double(QuickApple.farStreams) / QuickApple.distance.seconds)
        report.note("\(size.formatted()) devices; the rate is from the run's start to its verified end")
        report.note(
            "40 ms: between a fifth and four fifths of \(Self.farSize.formatted()) pushes; with opening and end it was "
                + "\(Int(far.rate).formatted())/s")
    }

    /// What is measured: how many devices, by how many workers, and how far Apple is.
    private struct Field {
        var devices: Int
        var workers = 1
        /// Of each worker.
        var connections = 2
        var isFar = false
        var pace: Int?
    }

    private func measure(_ field: Field) async throws -> Measure {
        let scratch = try Scratch("campaign")
        defer { scratch.remove() }
        let apple = try QuickApple(isFar: field.isFar)
        var settings = Settings()
        settings.stateDirectory = scratch.path
        let frozen = settings
        let loop = try EventLoop(name: "bench")
        defer { loop.stop() }
        let result = try await withTaskExecutorPreference(loop) {
            try await Self.measure(field, settings: frozen, apple: apple, scratch: scratch, on: loop)
        }
        await apple.stop()
        return result
    }

    private static func measure(
        _ field: Field, settings: Settings, apple: QuickApple, scratch: Scratch, on loop: EventLoop
    ) async throws -> Measure {
        let devices = field.devices
        let logger = Logger.make("bench", level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the bench needs a PostgreSQL of its own") }
        let pool = database.pool(on: loop, logger: logger)
        let app = try await prepare(devices: devices, pool: pool, sealingKey: database.sealingKey, apple: apple)
        let authority = "\(scratch.path)/ca.pem"
        try TextFile.write(apple.simulator.certificatePEM, to: authority)
        let workers = try (0..<field.workers).map { _ in
            try ChildBelfry(
                [
                    "work", "--state", scratch.path, "--apns-host", "localhost", "--apns-port", "\(apple.port)",
                    "--apns-ca-file", authority, "--apns-connections", "\(field.connections)", "--log-level", "warning",
                ],
                environment: ["DATABASE_URL": cluster.url], on: loop)
        }
        defer { for worker in workers { worker.terminate() } }
        let deadline = MonotonicTime.now() + longestRun
        while try await BenchData(pool: pool).listeners() < workers.count {
            guard .now() < deadline else { throw CommandFailure("the workers did not come up within \(longestRun)") }
            try await loop.sleep(for: .milliseconds(20))
        }
        // Coming up is not a matter of pushes.
        let before = try workers.map { try $0.usage().processorSeconds }.reduce(0, +)
        let wal = try await walPosition(pool)
        _ = try await CampaignStore(pool: pool).start(try await campaign(app, field, pool), app: app)
        async let middle = middleRate(of: devices, at: apple, on: loop)
        let (seconds, verified) = try await waitForEnd(pool, on: loop)
        let middleRate = try await middle
        let usages = try workers.map { try $0.usage() }
        let written = try await walPosition(pool) - wal
        for worker in workers { worker.terminate() }
        await pool.close()
        await database.close()
        guard verified else { throw CommandFailure("the campaign's ledger does not balance") }
        return Measure(
            rate: Double(devices) / seconds,
            processorMicroseconds: (usages.map(\.processorSeconds).reduce(0, +) - before) / Double(devices) * 1e6,
            peakMegabytes: usages.map(\.peakMegabytes).max() ?? 0, walBytes: Double(written) / Double(devices),
            middleRate: middleRate)
    }

    /// An app with so many devices. Made by one statement: registering them is another benchmark.
    static func prepare(
        devices: Int, pool: PostgresPool, sealingKey: SealingKey, apple: QuickApple
    ) async throws -> App.ID {
        let app = try await AppStore(pool: pool, sealingKey: sealingKey).create(
            AppSettings(name: "Bench", bundleID: try BundleID(QuickApple.bundleID))
        ).id
        _ = try await CredentialStore(pool: pool, sealingKey: sealingKey).create(
            app: app, keyID: try KeyID("BENCHKEY01"), teamID: try TeamID("BENCHTEAM1"), key: apple.key,
            environments: [.production, .development])
        try await BenchData(pool: pool).addDevices(devices, app: app)
        return app
    }

    /// Personalised: two holes, of which one has a filter.
    private static func campaign(
        _ app: App.ID, _ field: Field, _ pool: PostgresPool
    ) async throws -> Campaign.ID {
        let template = try await TemplateStore(pool: pool).create(
            app: app, name: "Bench",
            content: #"""
                {"payload": {"aps": {"alert": {"title": "Hi {{ first_name | default: 'there' }}",
                    "body": "Tonight at eight the ringers of {{ city }} play for you."}, "sound": "default"}}}
                """#)
        var content = CampaignContent(
            name: "Bench", body: .template(TemplateReference(id: template.id, version: template.version)))
        content.pushesPerSecond = field.pace
        return try await CampaignStore(pool: pool).create(app: app, content).id
    }

    /// What arrives a second between two parts of the pushes; zero where Apple keeps no record.
    private static func middleRate(of devices: Int, at apple: QuickApple, on loop: EventLoop) async throws -> Double {
        guard apple.simulator.configuration.mode == .validating else { return 0 }
        var began: (at: MonotonicTime, count: Int)?
        let deadline = MonotonicTime.now() + longestRun
        while .now() < deadline {
            let (now, count) = (MonotonicTime.now(), apple.simulator.record.counts.accepted)
            let part = Double(count) / Double(devices)
            if let began, part >= farMiddle.upperBound {
                return Double(count - began.count) / (now - began.at).seconds
            }
            if began == nil, part >= farMiddle.lowerBound { began = (now, count) }
            try await loop.sleep(for: .milliseconds(5))
        }
        throw CommandFailure("Apple has not accepted most of the campaign within \(longestRun)")
    }

    private static func walPosition(_ pool: PostgresPool) async throws -> Int64 {
        try await BenchData(pool: pool).walPosition()
    }

    /// Seconds from the run's start to its end, on the database's clock, and whether it was verified.
    private static func waitForEnd(_ pool: PostgresPool, on loop: EventLoop) async throws -> (Double, Bool) {
        let deadline = MonotonicTime.now() + longestRun
        while MonotonicTime.now() < deadline {
            if let end = try await BenchData(pool: pool).runEnd() { return end }
            try await loop.sleep(for: .milliseconds(100))
        }
        throw CommandFailure("the campaign did not end within \(longestRun)")
    }
}
