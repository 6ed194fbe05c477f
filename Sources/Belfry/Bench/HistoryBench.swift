import Application
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// Measures what an app with a long past costs, beside one that has only the last week: planning, the frequency cap,
/// conditions on events, claims, lists of runs, the history of a device, and erasing a person. Both have the same number of
/// registered devices; three in ten of the older app's are retired.
struct HistoryBench {
    static let devices = 200_000
    static let retiredShare = 0.3
    /// Measurements of each; the median counts.
    static let attempts = 9

    /// Of history, at a thousand runs, a hundred thousand transactional pushes and a million events each.
    let weeks: Int

    func run(into report: inout BenchReport) async throws {
        let (young, old) = try await BenchScratch.run("history") { [weeks] settings, loop in
            try await Self.measure(weeks: weeks, settings, on: loop)
        }
        for (before, after) in zip(young, old) {
            report.add(
                "history.\(after.name)", after.value, after.unit, peer: "of the last week only", peerValue: before.value
            )
        }
        report.note(
            "\(weeks) weeks, \(Self.devices.formatted()) registered devices; each week 961 runs, 96,150 transactional pushes "
                + "and about a million events; medians of \(Self.attempts)")
    }

    private struct Row: Sendable {
        let name: String
        let value: Double
        let unit: String
    }

    private static func measure(
        weeks: Int, _ settings: Settings, on loop: EventLoop
    ) async throws -> (young: [Row], old: [Row]) {
        let logger = Logger.make("bench", level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        let stores = database.stores(on: loop, logger: logger)
        let young = try await fill(stores, "young", retired: 0, weeks: 1)
        let before = try await rows(stores, young)
        let old = try await fill(stores, "old", retired: retiredShare, weeks: weeks + 1)
        let after = try await rows(stores, old)
        await stores.pool.close()
        await database.close()
        return (before, after)
    }

    private static func fill(_ stores: Stores, _ name: String, retired: Double, weeks: Int) async throws -> App.ID {
        var settings = AppSettings(name: name, bundleID: try BundleID("com.example.\(name)"))
        settings.frequencyCap = FrequencyCap(count: 3, days: 7)
        let app = try await stores.apps.create(settings).id
        _ = try await stores.credentials.create(
            app: app, keyID: try KeyID("BENCHKEY01"), teamID: try TeamID("BENCHTEAM1"), key: .generate(),
            environments: [.production])
        let campaign = try await stores.campaigns.create(
            app: app, CampaignContent(name: "Past", payload: #"{"aps":{"alert":"Hello"}}"#)
        ).id
        let data = HistoryData(pool: stores.pool, app: app, campaign: campaign)
        try await data.addDevices(devices, retiredShare: retired)
        for week in (0..<weeks).reversed() { try await data.addWeek(endingWeeksAgo: week) }
        try await stores.pool.execute("VACUUM ANALYZE", deadline: HistoryData.deadline)
        try await BenchData(pool: stores.pool).checkpoint()
        return app
    }

    // MARK: Measurements

    private static func rows(_ stores: Stores, _ app: App.ID) async throws -> [Row] {
        var content = CampaignContent(name: "Bench", payload: #"{"aps":{"alert":"Tonight at eight."}}"#)
        content.ignoresFrequencyCap = true
        let everybody = try await planning(content, stores, app)
        content.audience = Audience(include: .not(.event(AudienceEvent(.opened, withinDays: 3))))
        let activity = try await planning(content, stores, app)
        content.audience = .everybody
        content.ignoresFrequencyCap = false
        let capped = try await planning(content, stores, app)
        let claimed = try await claim(stores, app)
        let lists = try await milliseconds {
            _ = try await stores.runs.list(
                app: app, state: nil, since: nil, until: nil, after: nil, limit: 100)
        }
        let first: Int64 = try await stores.pool.query("SELECT min(id) FROM devices WHERE app_id = \(app)")[0][0]
        var number: Int64 = 0
        let device = try await milliseconds {
            number += 1
            _ = try await stores.deviceHistory.deliveries(
                of: Device.ID(rawValue: first + number * 1_001), app: app, before: nil, limit: 20)
        }
        let erasure = try await milliseconds {
            number += 1
            _ = try await stores.people.erase("user-\(number * 1_000 + 1)", app: app)
        }
        return [
            Row(name: "planning_us_per_device", value: everybody, unit: "µs"),
            Row(name: "planning_events_us_per_device", value: activity, unit: "µs"),
            Row(name: "planning_cap_us_per_device", value: capped, unit: "µs"),
            Row(name: "claim_ms", value: claimed, unit: "ms"),
            Row(name: "list_of_runs_ms", value: lists, unit: "ms"),
            Row(name: "device_ms", value: device, unit: "ms"),
            Row(name: "erasure_ms", value: erasure, unit: "ms"),
        ]
    }

    /// The median duration.
    private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<attempts {
            let began = MonotonicTime.now()
            try await body()
            times.append((.now() - began).seconds * 1e3)
        }
        return times.median
    }

    /// Microseconds per recipient, for whole runs, which are cancelled and finished after that.
    private static func planning(_ content: CampaignContent, _ stores: Stores, _ app: App.ID) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<3 {
            let run = try await start(content, stores, app)
            guard let rules = try await stores.planRules.rules(of: run) else {
                throw CommandFailure("the run was not found")
            }
            let plans = stores.plans(owner: ProcessID())
            let began = MonotonicTime.now()
            while case .planned = try await plans.step(run, by: rules, lease: .seconds(60), to: .simulator) {}
            times.append((.now() - began).seconds / Double(devices) * 1e6)
            try await remove(run, stores)
        }
        return times.median
    }

    private static func claim(_ stores: Stores, _ app: App.ID) async throws -> Double {
        var content = CampaignContent(name: "Bench", payload: #"{"aps":{"alert":"Tonight at eight."}}"#)
        content.ignoresFrequencyCap = true
        let run = try await start(content, stores, app)
        guard let rules = try await stores.planRules.rules(of: run) else {
            throw CommandFailure("the run was not found")
        }
        let plans = stores.plans(owner: ProcessID())
        while case .planned = try await plans.step(run, by: rules, lease: .seconds(60), to: .simulator) {}
        let claims = stores.claims(owner: ProcessID())
        let time = try await milliseconds {
            guard let open = try await claims.openRuns().first(where: { $0.id == run }),
                try await !claims.claim(open, limit: 1, lease: .seconds(600)).isEmpty
            else { throw CommandFailure("nothing could be claimed") }
        }
        try await remove(run, stores)
        return time
    }

    private static func start(_ content: CampaignContent, _ stores: Stores, _ app: App.ID) async throws -> Run.ID {
        _ = try await stores.campaigns.start(stores.campaigns.create(app: app, content).id, app: app)
        let contents = ContentLoader(stores: stores, media: MediaURLResolver(media: stores.media, publicURL: ""))
        let starts = try await CampaignStarter(stores: stores, contents: contents).startDue()
        guard case .run(let run)? = starts.first else { throw CommandFailure("the run did not start: \(starts)") }
        return run
    }

    /// So that the next measurement finds what this one found.
    private static func remove(_ run: Run.ID, _ stores: Stores) async throws {
        try await stores.pool.execute("DELETE FROM runs WHERE id = \(run)")
    }
}
