import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import Notifications
import Postgres
import Store

/// A run as it goes, as server-sent events: "progress" when something changed, "end" with the reasons when it is over.
struct ProgressRoute: RouteGroup {
    /// Between two looks.
    static let interval = Duration.milliseconds(400)
    /// A stream ends after this time without "end", and the reader comes back: with a key that may have been revoked.
    static let maximumDuration = Duration.seconds(3_600)

    let progress: RunProgress

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/runs/{run}/progress", for: .secret(.campaignsRead)) { [progress] call in
            let id: Run.ID = try call.id("run", .run)
            _ = try await progress.snapshot(id, app: call.app)
            guard let place = progress.takePlace() else {
                throw Refusal.unavailable(
                    "too-many-listeners", "Too many are watching at the moment. Please try again shortly.",
                    retryAfter: 5)
            }
            let loop = call.request.loop
            return .events { sink in
                defer { withExtendedLifetime(place) {} }
                try await Self.follow(id, app: call.app, progress, loop, sink)
            }
        }
    }

    private static func follow(
        _ id: Run.ID, app: App.ID, _ progress: RunProgress, _ loop: EventLoop, _ sink: EventSink
    ) async throws {
        let end = MonotonicTime.now() + maximumDuration
        var meter = RateMeter()
        var last: RunRecord?
        while MonotonicTime.now() < end {
            do {
                let run = try await progress.snapshot(id, app: app)
                let rate = meter.rate(done: run.targeted - run.ledger[.pending], at: .now())
                if run != last {
                    let members = run.members + [JSON.Member("rate", .count(max(0, rate)))]
                    try await sink.send(event: "progress", data: JSON.object(members).text)
                    last = run
                }
                if run.isOver {
                    let reasons = try await progress.runs.reasons(id)
                    return try await sink.send(event: "end", data: run.json(reasons: reasons).text)
                }
            } catch let error as PostgresError where error.isUnavailable {
                // The watcher stays: the database comes back, and the run with it.
            }
            try await loop.sleep(for: interval)
        }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}
