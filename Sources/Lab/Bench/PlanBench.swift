import APNS
import APNSSimulator
import Application
import Belfry
import Campaigns
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// Measures the database steps of a large app: planning, claiming, counting an audience, pausing during planning, and
/// retiring devices. It calls the stores directly, without a worker.
struct PlanBench {
    let size: Int

    /// A tag of one device in a thousand.
    private static let rare = "rare"
    private static let claims = 200
    private static let pairs = 3

    func run(into report: inout BenchReport) async throws {
        let apple = try BenchmarkAPNS()
        let rows = try await BenchScratch.run("planning") { [size] settings, _ in
            try await Self.measure(size, settings, apple)
        }
        await apple.stop()
        for (name, value, unit) in rows { report.add(name, value, unit) }
        report.note("\(size.formatted()) devices; planning steps of at most \(PlanStore.stepSize.formatted())")
    }

    private typealias Row = (String, Double, String)

    private static func measure(_ size: Int, _ settings: Settings, _ apple: BenchmarkAPNS) async throws -> [Row] {
        let logger = Logger.make(level: .warning)
        let loop = try EventLoop(name: "planning")
        defer { loop.stop() }
        return try await withTaskExecutorPreference(loop) {
            let database = try await Database.open(settings, on: loop, logger: logger)
            let stores = database.stores(on: loop, logger: logger)
            let app = try await CampaignBench.prepare(
                devices: size, stores: stores, apple: apple)
            let rows = try await Self(size: size).rows(stores, app)
            await stores.pool.close()
            await database.close()
            return rows
        }
    }

    private func rows(_ stores: Stores, _ app: App.ID) async throws -> [Row] {
        let everybody = try await plan(.everybody, stores, app)
        let claims = try await claim(stores)
        let experiments = try await experiments(stores, app)
        let rare = try await plan(Audience(include: .tag(Self.rare)), stores, app)
        let pause = try await pause(stores, app)
        let count = try await count(stores, app)
        let retiring = try await retire(stores, app)
        return [
            ("planning.us_per_device", everybody.total.seconds / Double(size) * 1e6, "µs"),
            ("planning.longest_step_ms", everybody.longest.seconds * 1e3, "ms"),
            ("planning.rare_us_per_device", rare.total.seconds / Double(size) * 1e6, "µs"),
            ("planning.rare_longest_step_ms", rare.longest.seconds * 1e3, "ms"),
            ("planning.experiments_ratio", experiments, ""),
            ("planning.pause_ms", pause.seconds * 1e3, "ms"),
            ("claim.ms", claims.median * 1e3, "ms"),
            ("audience.count_ms", count.seconds * 1e3, "ms"),
            ("retiring.wal_bytes_per_device", retiring, "bytes"),
        ]
    }

    // MARK: Steps

    /// Plans a whole run. Returns the total duration and the longest step.
    private func plan(
        _ audience: Audience, _ stores: Stores, _ app: App.ID, _ change: (inout CampaignContent) -> Void = { _ in }
    ) async throws -> (total: Duration, longest: Duration) {
        let run = try await start(audience, stores, app, change)
        let plans = stores.plans(owner: ProcessID())
        guard let rules = try await stores.planRules.rules(of: Run.Key(app: app, id: run)) else {
            throw CommandFailure("the run was not found")
        }
        var total = Duration.zero
        var longest = Duration.zero
        var isSparse = false
        while true {
            let began = MonotonicTime.now()
            let step = try await plans.step(run, by: rules, isSparse: isSparse, lease: .seconds(60), to: .simulator)
            isSparse = step.isSparse
            total += .now() - began
            longest = max(longest, .now() - began)
            guard case .planned = step else { return (total, longest) }
        }
    }

    /// Planning with ten variants and both control groups, as a multiple of planning without: the median of pairs.
    private func experiments(_ stores: Stores, _ app: App.ID) async throws -> Double {
        let payload = #"{"aps":{"alert":"Tonight at eight."}}"#
        var ratios: [Double] = []
        for _ in 0..<Self.pairs {
            let plain = try await plan(.everybody, stores, app).total
            try await stores.pool.execute(
                """
                INSERT INTO control_periods (app_id, ends_at, count_next_at, first_digit, share, event_name)
                VALUES (\(app), now() + interval '90 days', now() + interval '90 days', 0, 50, 'purchase')
                """)
            let tested = try await plan(.everybody, stores, app) { content in
                content.variants = (0..<10).map {
                    CampaignVariant(name: CampaignVariant.standardName($0), body: .payload(payload))
                }
                content.weights = Array(repeating: 100, count: 10)
                content.goal = .event("purchase")
                content.controlShare = 100
            }.total
            try await stores.pool.execute("DELETE FROM runs WHERE control_period IS NOT NULL")
            try await stores.pool.execute("DELETE FROM control_periods")
            ratios.append(tested.seconds / plain.seconds)
        }
        return ratios.median
    }

    private func start(
        _ audience: Audience, _ stores: Stores, _ app: App.ID, _ change: (inout CampaignContent) -> Void = { _ in }
    ) async throws -> Run.ID {
        let campaigns = stores.campaigns
        var content = CampaignContent(name: "Bench", payload: #"{"aps":{"alert":"Tonight at eight."}}"#)
        content.audience = audience
        change(&content)
        _ = try await campaigns.start(campaigns.create(app: app, content).id, app: app)
        guard
            case .run(let run) = try await CampaignStarter(
                stores: stores,
                contents: ContentLoader(stores: stores, media: MediaURLResolver(media: stores.media, publicURL: ""))
            ).startDue().first
        else {
            throw CommandFailure("the run did not start")
        }
        return run.id
    }

    /// Claims one batch at a time from the first run. Returns the seconds of each claim.
    private func claim(_ stores: Stores) async throws -> [Double] {
        let claims = stores.claims(owner: ProcessID())
        guard let run = try await claims.openRuns().first else { throw CommandFailure("no run is open") }
        var times: [Double] = []
        for _ in 0..<Self.claims {
            let began = MonotonicTime.now()
            guard try await !claims.claim(run, limit: 1, lease: .seconds(600)).isEmpty else { break }
            times.append((.now() - began).seconds)
        }
        return times
    }

    /// Returns the longest of several pauses during planning.
    private func pause(_ stores: Stores, _ app: App.ID) async throws -> Duration {
        let run = try await start(.everybody, stores, app)
        let plans = stores.plans(owner: ProcessID())
        guard let rules = try await stores.planRules.rules(of: Run.Key(app: app, id: run)) else {
            throw CommandFailure("the run was not found")
        }
        var longest = Duration.zero
        for _ in 0..<5 {
            async let step = plans.step(run, by: rules, lease: .seconds(60), to: .simulator)
            let began = MonotonicTime.now()
            _ = try await stores.runs.transition(run, app: app, by: .pause)
            longest = max(longest, .now() - began)
            _ = try await step
            _ = try await stores.runs.transition(run, app: app, by: .resume)
        }
        return longest
    }

    private func count(_ stores: Stores, _ app: App.ID) async throws -> Duration {
        let resolved = try await stores.segments.resolve(member: Audience(include: .tag(Self.rare)), app: app)
        let began = MonotonicTime.now()
        _ = try await stores.audienceCounts.count(resolved, app: app)
        return .now() - began
    }

    /// Retires three in a hundred devices after a checkpoint, as window flushes do. Returns WAL bytes per device.
    private func retire(_ stores: Stores, _ app: App.ID) async throws -> Double {
        let data = BenchData(pool: stores.pool)
        try await data.checkpoint()
        let before = try await data.walPosition()
        let retiring = stores.retiring
        let later = Int64(Date().timeIntervalSince1970 * 1e3) + 60_000
        var retired = 0
        for start in stride(from: 1, to: min(size, 300_000), by: 1_000) {
            let gone = stride(from: start, to: start + 1_000, by: 33).map {
                DeviceRetirementStore.InvalidatedToken(device: Int64($0), since: later, reason: .unregistered)
            }
            retired += try await retiring.retire(gone, app: app)
        }
        return Double(try await data.walPosition() - before) / Double(max(1, retired))
    }
}
