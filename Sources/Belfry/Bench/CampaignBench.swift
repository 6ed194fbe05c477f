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
    static let longestRun = Duration.seconds(600)

    let size: Int

    private struct Measure {
        let rate: Double
        let processorMicroseconds: Double
        let peakMegabytes: Double
        let walBytes: Double
    }

    func run(into report: inout BenchReport) async throws {
        let small = try await measure(devices: Self.smallSize)
        let large = try await measure(devices: size)
        let sender = report.rows.first { $0.name == "sender.rate" }?.value
        report.add("campaign.rate", large.rate, "/s", peer: sender.map { _ in "sender alone" }, peerValue: sender)
        report.add("campaign.cpu_us_per_push", large.processorMicroseconds, "µs")
        report.add("campaign.peak_rss_mb", large.peakMegabytes, "MB")
        report.add("campaign.wal_bytes_per_recipient", large.walBytes, "bytes")
        report.add("campaign_100k.rate", small.rate, "/s")
        report.add("campaign_100k.cpu_us_per_push", small.processorMicroseconds, "µs")
        report.add("campaign_100k.peak_rss_mb", small.peakMegabytes, "MB")
        report.note("\(size.formatted()) devices; the rate is from the run's start to its verified end")
    }

    private func measure(devices: Int) async throws -> Measure {
        let scratch = try Scratch("campaign")
        defer { scratch.remove() }
        let apple = try QuickApple()
        var settings = Settings()
        settings.stateDirectory = scratch.path
        let frozen = settings
        let loop = try EventLoop(name: "bench")
        defer { loop.stop() }
        let result = try await withTaskExecutorPreference(loop) {
            try await Self.measure(devices: devices, settings: frozen, apple: apple, scratch: scratch, on: loop)
        }
        await apple.stop()
        return result
    }

    private static func measure(
        devices: Int, settings: Settings, apple: QuickApple, scratch: Scratch, on loop: EventLoop
    ) async throws -> Measure {
        let logger = Logger.make("bench", level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        guard let cluster = database.cluster else { throw CommandFailure("the bench needs a PostgreSQL of its own") }
        let pool = database.pool(on: loop, logger: logger)
        let app = try await prepare(devices: devices, pool: pool, sealingKey: database.sealingKey, apple: apple)
        let campaigns = CampaignStore(pool: pool)
        let authority = "\(scratch.path)/ca.pem"
        try TextFile.write(apple.simulator.certificatePEM, to: authority)
        let worker = try ChildBelfry(
            [
                "work", "--state", scratch.path, "--apns-host", "localhost", "--apns-port", "\(apple.port)",
                "--apns-ca-file", authority, "--apns-connections", "2", "--log-level", "warning",
            ],
            environment: ["DATABASE_URL": cluster.url], on: loop)
        defer { worker.terminate() }
        let wal = try await walPosition(pool)
        _ = try await campaigns.start(try await campaign(app, campaigns), app: app)
        let (seconds, verified) = try await waitForEnd(pool, on: loop)
        let usage = try worker.usage()
        let written = try await walPosition(pool) - wal
        worker.terminate()
        await pool.close()
        await database.close()
        guard verified else { throw CommandFailure("the campaign's ledger does not balance") }
        return Measure(
            rate: Double(devices) / seconds, processorMicroseconds: usage.processorSeconds / Double(devices) * 1e6,
            peakMegabytes: usage.peakMegabytes, walBytes: Double(written) / Double(devices))
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

    private static func campaign(_ app: App.ID, _ campaigns: CampaignStore) async throws -> Campaign.ID {
        let payload =
            #"{"aps":{"alert":{"title":"Evening bells","body":"Tonight at eight the ringers play for you."},"sound":"default"}}"#
        return try await campaigns.create(app: app, CampaignContent(name: "Bench", payload: payload)).id
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
