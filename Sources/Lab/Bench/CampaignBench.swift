import Campaigns
import Crypto
import EventLoop
import Foundation
import Notifications
import Postgres
import Store

/// Measures whole campaigns, from planning to recorded outcomes.
struct CampaignBench {
    /// Further audience sizes: memory and cost per push must not grow with the audience.
    static let smallSize = 100_000
    static let tinySize = 10_000
    static let tinyCampaigns = 10
    static let latencySize = 150_000
    /// Of the payloads that are nearly as long as Apple allows, in bytes.
    static let padding = 3_800
    /// The rate limit that is measured with two workers.
    static let pushesPerSecond = 30_000
    /// Each round measures all sizes, with one worker and with two.
    static let rounds = 3
    /// Larger audiences are measured once.
    static let largestRepeated = 2_000_000

    let size: Int

    func run(into report: inout BenchReport) async throws {
        let (size, rounds) = (size, size > Self.largestRepeated ? 1 : Self.rounds)
        let near = try await CampaignBenchHarness.with { harness in
            try await Self.near(harness, size: size, rounds: rounds)
        }
        let far = try await CampaignBenchHarness.with(addsLatency: true) { harness in
            let app = try await harness.app(devices: Self.latencySize)
            return try await harness.measure(.init(app: app, devices: Self.latencySize, connections: 4))
        }
        let sender = report.rows.first { $0.name == "sender.rate" }?.value
        report.add("campaign.rate", near.one.rate, "/s", peer: sender.map { _ in "sender alone" }, peerValue: sender)
        report.add("campaign.cpu_us_per_push", near.one.processorMicroseconds, "µs")
        report.add("campaign.peak_rss_mb", near.one.peakMegabytes, "MB")
        report.add("campaign.wal_bytes_per_recipient", near.one.walBytes, "bytes")
        report.add("campaign_100k.rate", near.small.rate, "/s")
        add("campaign_100k", near.small, comparedWith: near.one, to: &report)
        report.add("campaign_100k.peak_rss_mb", near.small.peakMegabytes, "MB")
        add("campaign_10k", near.tiny, comparedWith: near.one, to: &report)
        report.add("campaign_4kb.rate", near.long.rate, "/s")
        add("campaign_4kb", near.long, comparedWith: near.one, to: &report)
        report.add("campaign_4kb.peak_rss_mb", near.long.peakMegabytes, "MB")
        report.add("campaign_2_workers.rate", near.two.rate, "/s", peer: "one worker", peerValue: near.one.rate)
        report.add(
            "campaign_paced.rate", near.rateLimited.rate, "/s", peer: "configured limit",
            peerValue: Double(Self.pushesPerSecond))
        report.add(
            "campaign_40ms.rate", far.middleRate, "/s", peer: "4 × 100 streams / 40 ms",
            peerValue: 4 * Double(BenchmarkAPNS.latencyStreams) / BenchmarkAPNS.latency.seconds)
        report.note(
            "\(size.formatted()) devices, medians of \(rounds); rates are from the start of a run to its verification")
        report.note(
            "10k: \(Self.tinyCampaigns) campaigns in sequence with a new worker, including its connection setup")
        report.note(
            "40 ms: the middle three fifths of \(Self.latencySize.formatted()) pushes; the whole run: "
                + "\(Int(far.rate).formatted())/s")
    }

    private func add(
        _ name: String, _ measure: CampaignBenchHarness.Measure, comparedWith large: CampaignBenchHarness.Measure,
        to report: inout BenchReport
    ) {
        report.add(
            "\(name).cpu_us_per_push", measure.processorMicroseconds, "µs", peer: "of \(size.formatted())",
            peerValue: large.processorMicroseconds)
    }

    private struct LocalMeasures {
        var tiny: CampaignBenchHarness.Measure
        var small: CampaignBenchHarness.Measure
        var one: CampaignBenchHarness.Measure
        var two: CampaignBenchHarness.Measure
        var long: CampaignBenchHarness.Measure
        var rateLimited: CampaignBenchHarness.Measure
    }

    private typealias Rounds = [CampaignBenchHarness.Measure]

    private static func near(_ harness: CampaignBenchHarness, size: Int, rounds: Int) async throws -> LocalMeasures {
        // One for each size: `size` can be one of the others.
        var apps: [Int: App.ID] = [:]
        func app(of devices: Int) async throws -> App.ID {
            if let app = apps[devices] { return app }
            let app = try await harness.app(devices: devices)
            apps[devices] = app
            return app
        }
        let (tinyApp, smallApp) = (try await app(of: tinySize), try await app(of: smallSize))
        let largeApp = try await app(of: size)
        var (tiny, small, one, two, long): (Rounds, Rounds, Rounds, Rounds, Rounds) = ([], [], [], [], [])
        for _ in 0..<rounds {
            tiny.append(try await harness.measure(.init(app: tinyApp, devices: tinySize, campaigns: tinyCampaigns)))
            small.append(try await harness.measure(.init(app: smallApp, devices: smallSize)))
            one.append(try await harness.measure(.init(app: largeApp, devices: size)))
            long.append(try await harness.measure(.init(app: smallApp, devices: smallSize, padding: padding)))
            two.append(try await harness.measure(.init(app: largeApp, devices: size, workers: 2)))
        }
        let limitedSize = 10 * pushesPerSecond
        let limitedApp = try await app(of: limitedSize)
        let rateLimited = try await harness.measure(
            .init(app: limitedApp, devices: limitedSize, workers: 2, pushesPerSecond: pushesPerSecond))
        return LocalMeasures(
            tiny: tiny.medians, small: small.medians, one: one.medians, two: two.medians, long: long.medians,
            rateLimited: rateLimited)
    }

    /// Creates an app and its devices, with one statement. Registrations are measured by another benchmark.
    static func prepare(
        devices: Int, bundleID: String = BenchmarkAPNS.bundleID, stores: Stores, apple: BenchmarkAPNS
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

extension [CampaignBenchHarness.Measure] {
    fileprivate var medians: CampaignBenchHarness.Measure {
        CampaignBenchHarness.Measure(
            rate: map(\.rate).median, processorMicroseconds: map(\.processorMicroseconds).median,
            peakMegabytes: map(\.peakMegabytes).median, walBytes: map(\.walBytes).median,
            middleRate: map(\.middleRate).median)
    }
}
