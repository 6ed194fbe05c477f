import Campaigns
import Crypto
import EventLoop
import Foundation
import Notifications
import Postgres
import Store

/// Whole campaigns: from rows in PostgreSQL over the wire to recorded outcomes.
struct CampaignBench {
    /// Neither memory nor cost must grow with the audience: measured at these sizes, too.
    static let smallSize = 100_000
    static let tinySize = 10_000
    static let tinyCampaigns = 10
    static let farSize = 150_000
    /// Pushes a second, by two workers together.
    static let pace = 30_000
    /// All sizes, and one worker and two, in turn.
    static let rounds = 3
    /// Beyond this size once is enough.
    static let largestRepeated = 2_000_000

    let size: Int

    func run(into report: inout BenchReport) async throws {
        let (size, rounds) = (size, size > Self.largestRepeated ? 1 : Self.rounds)
        let near = try await CampaignWorld.with { world in
            try await Self.near(world, size: size, rounds: rounds)
        }
        let far = try await CampaignWorld.with(isFar: true) { world in
            let app = try await world.app(devices: Self.farSize)
            return try await world.measure(.init(app: app, devices: Self.farSize, connections: 4))
        }
        let sender = report.rows.first { $0.name == "sender.rate" }?.value
        report.add("campaign.rate", near.one.rate, "/s", peer: sender.map { _ in "sender alone" }, peerValue: sender)
        report.add("campaign.cpu_us_per_push", near.one.processorMicroseconds, "µs")
        report.add("campaign.peak_rss_mb", near.one.peakMegabytes, "MB")
        report.add("campaign.wal_bytes_per_recipient", near.one.walBytes, "bytes")
        report.add("campaign_100k.rate", near.small.rate, "/s")
        add("campaign_100k", near.small, besides: near.one, to: &report)
        report.add("campaign_100k.peak_rss_mb", near.small.peakMegabytes, "MB")
        add("campaign_10k", near.tiny, besides: near.one, to: &report)
        report.add("campaign_2_workers.rate", near.two.rate, "/s", peer: "one worker", peerValue: near.one.rate)
        report.add("campaign_paced.rate", near.paced.rate, "/s", peer: "as told", peerValue: Double(Self.pace))
        report.add(
            "campaign_40ms.rate", far.middleRate, "/s", peer: "4 × 100 streams / 40 ms",
            peerValue: 4 * Double(QuickApple.farStreams) / QuickApple.distance.seconds)
        report.note(
            "\(size.formatted()) devices, medians of \(rounds); the rate is from the run's start to its verified end")
        report.note(
            "10k: \(Self.tinyCampaigns) campaigns one after another by a fresh worker, which opens its connections")
        report.note(
            "40 ms: between a fifth and four fifths of \(Self.farSize.formatted()) pushes; with opening and end it was "
                + "\(Int(far.rate).formatted())/s")
    }

    private func add(
        _ name: String, _ measure: CampaignWorld.Measure, besides large: CampaignWorld.Measure,
        to report: inout BenchReport
    ) {
        report.add(
            "\(name).cpu_us_per_push", measure.processorMicroseconds, "µs", peer: "of \(size.formatted())",
            peerValue: large.processorMicroseconds)
    }

    private struct Near {
        var tiny: CampaignWorld.Measure
        var small: CampaignWorld.Measure
        var one: CampaignWorld.Measure
        var two: CampaignWorld.Measure
        var paced: CampaignWorld.Measure
    }

    private typealias Rounds = [CampaignWorld.Measure]

    private static func near(_ world: CampaignWorld, size: Int, rounds: Int) async throws -> Near {
        let tinyApp = try await world.app(devices: tinySize)
        let smallApp = try await world.app(devices: smallSize)
        let app = try await world.app(devices: size)
        var (tiny, small, one, two): (Rounds, Rounds, Rounds, Rounds) = ([], [], [], [])
        for _ in 0..<rounds {
            tiny.append(try await world.measure(.init(app: tinyApp, devices: tinySize, campaigns: tinyCampaigns)))
            small.append(try await world.measure(.init(app: smallApp, devices: smallSize)))
            one.append(try await world.measure(.init(app: app, devices: size)))
            two.append(try await world.measure(.init(app: app, devices: size, workers: 2)))
        }
        let pacedSize = 10 * pace
        let pacedApp = try await world.app(devices: pacedSize)
        let paced = try await world.measure(.init(app: pacedApp, devices: pacedSize, workers: 2, pace: pace))
        return Near(tiny: tiny.medians, small: small.medians, one: one.medians, two: two.medians, paced: paced)
    }

    /// An app with so many devices. Made by one statement: registering them is another benchmark.
    static func prepare(
        devices: Int, bundleID: String = QuickApple.bundleID, stores: Stores, apple: QuickApple
    ) async throws -> App.ID {
        let app = try await stores.apps.create(
            AppSettings(name: "Bench", bundleID: try BundleID(bundleID))
        ).id
        _ = try await stores.credentials.create(
            app: app, keyID: try KeyID("BENCHKEY01"), teamID: try TeamID("BENCHTEAM1"), key: apple.key,
            environments: [.production, .development])
        try await BenchData(pool: stores.pool).addDevices(devices, app: app)
        return app
    }
}

extension [CampaignWorld.Measure] {
    fileprivate var medians: CampaignWorld.Measure {
        CampaignWorld.Measure(
            rate: map(\.rate).median, processorMicroseconds: map(\.processorMicroseconds).median,
            peakMegabytes: map(\.peakMegabytes).median, walBytes: map(\.walBytes).median,
            middleRate: map(\.middleRate).median)
    }
}
