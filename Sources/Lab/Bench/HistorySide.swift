import Application
import Belfry
import Campaigns
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// A server of its own with an app.
struct HistorySide: Sendable {
    private let stores: Stores
    private let app: App.ID
    private let firstDevice: Int64
    /// Of the last run that went to all devices.
    private let lastMessage: Int64

    /// The time of a measurement, and the processor time that the sessions of PostgreSQL used for it. In the unit of
    /// its row.
    struct Cost: Sendable {
        let time: Double
        let processorTime: Double

        static func * (cost: Cost, factor: Double) -> Cost {
            Cost(time: cost.time * factor, processorTime: cost.processorTime * factor)
        }
    }

    // MARK: Filling

    /// Gives a new database an app with that many weeks behind it, and stops its server.
    static func fill(_ settings: Settings, retired: Double, weeks: Int, on loop: EventLoop) async throws {
        try await withStores(settings, on: loop) { stores in
            var settings = AppSettings(name: "Bench", bundleID: try BundleID("com.example.bench"))
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
        }
    }

    /// Starts the server of a filled database for the body.
    static func open<Value: Sendable>(
        _ settings: Settings, on loop: EventLoop, _ body: @Sendable (HistorySide) async throws -> Value
    ) async throws -> Value {
        try await withStores(settings, on: loop) { stores in
            // As a worker does after a start of PostgreSQL: without it no campaign starts.
            guard let seen = try await stores.identity.observe(as: ProcessID(), remembering: []),
                try await stores.identity.confirm(seen)
            else { throw CommandFailure("the database of the benchmark is not the one that was filled") }
            let app: App.ID = try await stores.pool.query("SELECT id FROM apps")[0][0]
            let first: Int64 = try await stores.pool.query("SELECT min(id) FROM devices WHERE app_id = \(app)")[0][0]
            let last: Int64 = try await stores.pool.query(
                """
                SELECT message_number FROM run_variants r
                WHERE EXISTS (SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.run_id AND b.size > 1)
                ORDER BY message_number DESC LIMIT 1
                """)[0][0]
            return try await body(HistorySide(stores: stores, app: app, firstDevice: first, lastMessage: last))
        }
    }

    private static func withStores<Value: Sendable>(
        _ settings: Settings, on loop: EventLoop, _ body: @Sendable (Stores) async throws -> Value
    ) async throws -> Value {
        let logger = Logger.make(level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        let stores = database.stores(on: loop, logger: logger)
        let result: Result<Value, any Error>
        do { result = .success(try await body(stores)) } catch { result = .failure(error) }
        await stores.pool.close()
        await database.close()
        return try result.get()
    }

    // MARK: Measurements

    typealias Measurement = (
        name: String, unit: String, attempts: Int, measure: @Sendable (HistorySide, _ attempt: Int) async throws -> Cost
    )

    static let measurements: [Measurement] = [
        (
            "planning_us_per_device", "µs", HistoryBench.planningAttempts,
            { side, _ in try await side.planning(side.content) }
        ),
        (
            "planning_events_us_per_device", "µs", HistoryBench.planningAttempts,
            { side, _ in
                var content = side.content
                content.audience = Audience(include: .not(.event(AudienceEvent(.opened, withinDays: 3))))
                return try await side.planning(content)
            }
        ),
        (
            "planning_cap_us_per_device", "µs", HistoryBench.planningAttempts,
            { side, _ in
                var content = side.content
                content.ignoresFrequencyCap = false
                return try await side.planning(content)
            }
        ),
        ("claim_ms", "ms", HistoryBench.planningAttempts, { side, _ in try await side.claim() }),
        (
            "list_of_runs_ms", "ms", HistoryBench.attempts,
            { side, _ in
                try await side.milliseconds {
                    _ = try await side.stores.runs.list(
                        app: side.app, state: nil, since: nil, until: nil, after: nil, limit: 100)
                }
            }
        ),
        (
            "acknowledgements_ms", "ms", HistoryBench.attempts,
            { side, attempt in try await side.acknowledgements(attempt) }
        ),
        // The first look at a device, or at a person, reads from the disk. The other rows follow such a look at once,
        // at the same device or at a neighbour in the same pages.
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

    /// A group of a hundred events of different devices.
    private func acknowledgements(_ attempt: Int) async throws -> Cost {
        let events = (0..<100).map { index in
            Acknowledgement(
                index: index, messageNumber: lastMessage,
                device: Device.ID(rawValue: firstDevice + Int64(attempt * 100 + index)), kind: .dismissed,
                time: .receipt)
        }
        let request = AcknowledgementRequest(app: app, events: events)
        return try await milliseconds { _ = try await stores.acknowledgements.store([request]) }
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
        guard let rules = try await stores.planRules.rules(of: Run.Key(app: app, id: run)) else {
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
        return run.id
    }

    /// So that the next measurement finds what this one found.
    private func remove(_ run: Run.ID) async throws {
        try await stores.pool.execute("DELETE FROM runs WHERE app_id = \(app) AND id = \(run)")
    }
}
