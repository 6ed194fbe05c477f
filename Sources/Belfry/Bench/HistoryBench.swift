import Application
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// Measures what an app with a long past costs, beside one on another server that has only the last week: planning, the
/// frequency cap, conditions on events, claims, lists of runs, the history of a device, and erasing a person. Both have the
/// same number of registered devices; three in ten of the older app's are retired.
struct HistoryBench {
    static let devices = 200_000
    static let retiredShare = 0.3
    /// Measurements of each that takes milliseconds; the median counts.
    static let attempts = 31

    /// Of history, at a thousand runs, a hundred thousand transactional pushes and a million events each.
    let weeks: Int

    func run(into report: inout BenchReport) async throws {
        let rows = try await BenchScratch.run("history") { [weeks] settings, loop in
            try await Side.open(settings, "old", retired: Self.retiredShare, weeks: weeks + 1, on: loop) { old in
                try await BenchScratch.run("recent") { settings, loop in
                    try await Side.open(settings, "young", retired: 0, weeks: 1, on: loop) { young in
                        try await Self.compare(old, young)
                    }
                }
            }
        }
        let peer = "of the last week only"
        for row in rows {
            report.add("history.\(row.name)", row.old.time, row.unit, peer: peer, peerValue: row.young.time)
        }
        for row in rows {
            report.add(
                "history.cpu.\(row.name)", row.old.processorTime, row.unit, peer: peer,
                peerValue: row.young.processorTime)
        }
        report.note(
            "\(weeks) weeks, \(Self.devices.formatted()) registered devices; each week 961 runs, 96,150 transactional pushes "
                + "and about a million events; two servers in turn, medians of 5 to \(Self.attempts)")
        report.note("history.cpu: processor time of PostgreSQL, which the disk and other programs change less")
    }

    private struct Row: Sendable {
        let name: String
        let unit: String
        let old: Cost
        let young: Cost
    }

    /// Measures both in turn, so that a machine that becomes slower slows both.
    private static func compare(_ old: Side, _ young: Side) async throws -> [Row] {
        var rows: [Row] = []
        for (name, unit, attempts, measure) in Side.measurements {
            var costs: (old: [Cost], young: [Cost]) = ([], [])
            for attempt in 0..<attempts {
                costs.young.append(try await measure(young, attempt))
                costs.old.append(try await measure(old, attempt))
            }
            rows.append(Row(name: name, unit: unit, old: Cost(medianOf: costs.old), young: Cost(medianOf: costs.young)))
        }
        return rows
    }
}

/// The time of a measurement, and the processor time that the sessions of PostgreSQL used for it. In the unit of its row.
private struct Cost: Sendable {
    let time: Double
    let processorTime: Double

    static func * (cost: Cost, factor: Double) -> Cost {
        Cost(time: cost.time * factor, processorTime: cost.processorTime * factor)
    }
}

extension Cost {
    init(medianOf costs: [Cost]) {
        self.init(time: costs.map(\.time).median, processorTime: costs.map(\.processorTime).median)
    }
}

/// A server of its own with an app.
private struct Side: Sendable {
    let stores: Stores
    let app: App.ID
    let firstDevice: Int64

    /// Fills a database, and removes it after the body.
    static func open<Result: Sendable>(
        _ settings: Settings, _ name: String, retired: Double, weeks: Int, on loop: EventLoop,
        _ body: @Sendable (Side) async throws -> Result
    ) async throws -> Result {
        let logger = Logger.make("bench", level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        let stores = database.stores(on: loop, logger: logger)
        let result = try await body(fill(stores, name, retired: retired, weeks: weeks))
        await stores.pool.close()
        await database.close()
        return result
    }

    private static func fill(_ stores: Stores, _ name: String, retired: Double, weeks: Int) async throws -> Side {
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
        try await data.addDevices(HistoryBench.devices, retiredShare: retired)
        for week in (0..<weeks).reversed() { try await data.addWeek(endingWeeksAgo: week) }
        try await stores.pool.execute("VACUUM ANALYZE", deadline: HistoryData.deadline)
        try await BenchData(pool: stores.pool).checkpoint()
        let first: Int64 = try await stores.pool.query("SELECT min(id) FROM devices WHERE app_id = \(app)")[0][0]
        return Side(stores: stores, app: app, firstDevice: first)
    }

    // MARK: Measurements

    typealias Measurement = (
        name: String, unit: String, attempts: Int, measure: @Sendable (Side, _ attempt: Int) async throws -> Cost
    )

    /// Whole runs take long: they are measured less often.
    static let measurements: [Measurement] = [
        ("planning_us_per_device", "µs", 5, { side, _ in try await side.planning(side.content) }),
        (
            "planning_events_us_per_device", "µs", 5,
            { side, _ in
                var content = side.content
                content.audience = Audience(include: .not(.event(AudienceEvent(.opened, withinDays: 3))))
                return try await side.planning(content)
            }
        ),
        (
            "planning_cap_us_per_device", "µs", 5,
            { side, _ in
                var content = side.content
                content.ignoresFrequencyCap = false
                return try await side.planning(content)
            }
        ),
        ("claim_ms", "ms", 9, { side, _ in try await side.claim() }),
        (
            "list_of_runs_ms", "ms", HistoryBench.attempts,
            { side, _ in
                try await side.milliseconds {
                    _ = try await side.stores.runs.list(
                        app: side.app, state: nil, since: nil, until: nil, after: nil, limit: 100)
                }
            }
        ),
        // The older server has no room in its memory for a year: what it reads for the first time comes from the disk. The
        // other rows follow such a look at once, at the same device or at a neighbour in the same pages.
        ("device_cold_ms", "ms", HistoryBench.attempts, { side, attempt in try await side.history(attempt) }),
        (
            "device_ms", "ms", HistoryBench.attempts,
            { side, attempt in
                _ = try await side.history(attempt)
                return try await side.history(attempt)
            }
        ),
        ("erasure_cold_ms", "ms", HistoryBench.attempts, { side, attempt in try await side.erasure(attempt, 1) }),
        (
            "erasure_ms", "ms", HistoryBench.attempts,
            { side, attempt in
                _ = try await side.erasure(attempt, 2)
                return try await side.erasure(attempt, 4)
            }
        ),
    ]

    private var content: CampaignContent {
        var content = CampaignContent(name: "Bench", payload: #"{"aps":{"alert":"Tonight at eight."}}"#)
        content.ignoresFrequencyCap = true
        return content
    }

    private func milliseconds(_ body: () async throws -> Void) async throws -> Cost {
        let sessions = try await stores.pool.query(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ).map { try $0[0, as: Int32.self] }
        func processorTime() throws -> Double { try sessions.map(ProcessorTime.seconds).reduce(0, +) }
        let (began, processorBegan) = (MonotonicTime.now(), try processorTime())
        try await body()
        let time = (.now() - began).seconds
        return Cost(time: time, processorTime: try processorTime() - processorBegan) * 1e3
    }

    private func history(_ attempt: Int) async throws -> Cost {
        // Registered devices of both apps have five pushes, so the pages have the same length. Retired ones were in no
        // large run, and the younger app has none.
        var number = (attempt + 1) * 1_001
        while HistoryData.isRetired(number, share: HistoryBench.retiredShare) { number += 1 }
        let device = Device.ID(rawValue: firstDevice + Int64(number) - 1)
        return try await milliseconds {
            _ = try await stores.deviceHistory.deliveries(of: device, app: app, before: nil, limit: 5)
        }
    }

    private func erasure(_ attempt: Int, _ neighbour: Int) async throws -> Cost {
        try await milliseconds {
            _ = try await stores.people.erase("user-\((attempt + 10) * 1_000 + neighbour)", app: app)
        }
    }

    /// In microseconds per recipient, for a whole run.
    private func planning(_ content: CampaignContent) async throws -> Cost {
        let run = try await start(content)
        let cost = try await milliseconds { try await plan(run) }
        try await remove(run)
        return cost * (1e3 / Double(HistoryBench.devices))
    }

    private func plan(_ run: Run.ID) async throws {
        guard let rules = try await stores.planRules.rules(of: run) else {
            throw CommandFailure("the run was not found")
        }
        let plans = stores.plans(owner: ProcessID())
        while case .planned = try await plans.step(run, by: rules, lease: .seconds(60), to: .simulator) {}
    }

    private func claim() async throws -> Cost {
        let run = try await start(content)
        try await plan(run)
        let claims = stores.claims(owner: ProcessID())
        let cost = try await milliseconds {
            guard let open = try await claims.openRuns().first(where: { $0.id == run }),
                try await !claims.claim(open, limit: 1, lease: .seconds(600)).isEmpty
            else { throw CommandFailure("nothing could be claimed") }
        }
        try await remove(run)
        return cost
    }

    private func start(_ content: CampaignContent) async throws -> Run.ID {
        _ = try await stores.campaigns.start(stores.campaigns.create(app: app, content).id, app: app)
        let contents = ContentLoader(stores: stores, media: MediaURLResolver(media: stores.media, publicURL: ""))
        let starts = try await CampaignStarter(stores: stores, contents: contents).startDue()
        guard case .run(let run)? = starts.first else { throw CommandFailure("the run did not start: \(starts)") }
        return run
    }

    /// So that the next measurement finds what this one found.
    private func remove(_ run: Run.ID) async throws {
        try await stores.pool.execute("DELETE FROM runs WHERE id = \(run)")
    }
}
