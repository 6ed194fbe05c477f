import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// A run as it goes, as server-sent events: "progress" when something has changed or come to rest, "end" when the run
/// is over.
struct ProgressRoute: RouteGroup {
    /// Between two looks.
    static let interval = Duration.milliseconds(400)
    /// A stream ends after this time without "end", and the reader comes back: with a key that may have been revoked.
    static let maximumDuration = Duration.seconds(3_600)

    let progress: RunProgress

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/runs/{run}/progress", for: .secret(.campaignsRead)) { [progress] call in
            let id: Run.ID = try call.id("run", .run)
            _ = try await progress.reports.recentReport(id, app: call.app)
            guard let place = progress.takePlace() else {
                throw APIError.unavailable(
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
        var feed = ProgressFeed()
        while MonotonicTime.now() < end {
            do {
                let report = try await progress.reports.recentReport(id, app: app)
                if let rate = feed.rate(toSendWith: report, at: .now()) {
                    try await sink.send(event: "progress", data: report.json(rate: rate).text)
                }
                if report.run.isOver { return try await sink.send(event: "end", data: report.json().text) }
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
