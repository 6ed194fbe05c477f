import Administration
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store

/// Streams the progress of a run as server-sent events: "progress" when a number has changed or the rate has fallen
/// to 0, "end" when the run is over.
struct ProgressRoute: RouteGroup {
    /// The time between two reports.
    static let interval = Duration.milliseconds(400)
    /// A stream closes after this time without "end". The client reconnects, and its key is checked again.
    static let maximumDuration = Duration.seconds(3_600)
    /// The time between two checks that the key or session of a stream still works.
    static let checkInterval = Duration.seconds(2)

    /// In seconds.
    private static let retryAfter = 5

    let progress: RunProgress

    func add(to routes: inout Routes) {
        routes.addForApp(.get, "/runs/{run}/progress", for: .permission(.campaignsRead)) { [progress] call in
            let id: Run.ID = try call.id("run", .run)
            _ = try await progress.reports.recentReport(id, app: call.app)
            let slot = try Self.slot(call.caller, progress)
            let loop = call.request.loop
            return .events { sink in
                defer { withExtendedLifetime(slot) {} }
                try await Self.follow(id, call, progress, loop, sink)
            }
        }
    }

    private static func slot(_ caller: Caller, _ progress: RunProgress) throws(APIError) -> RunProgress.Slot {
        switch progress.acquireSlot(for: caller.streamHolder) {
        case .slot(let slot): return slot
        case .callerHasTooMany:
            throw .tooManyOwnStreams(maximum: RunProgress.maximumOfCaller, retryAfter: retryAfter)
        case .full:
            throw .tooManyStreams(retryAfter: retryAfter)
        }
    }

    private static func follow(
        _ id: Run.ID, _ call: AppCall, _ progress: RunProgress, _ loop: EventLoop, _ sink: EventSink
    ) async throws {
        let end = MonotonicTime.now() + maximumDuration
        var nextCheck = MonotonicTime.now() + checkInterval
        var feed = ProgressFeed()
        while MonotonicTime.now() < end {
            do {
                if MonotonicTime.now() >= nextCheck {
                    guard try await call.call.isStillPermitted() else { return }
                    nextCheck = MonotonicTime.now() + checkInterval
                }
                let report = try await progress.reports.recentReport(id, app: call.app)
                if let rate = feed.rate(toSendWith: report, at: .now()) {
                    try await sink.send(event: "progress", data: report.json(rate: rate).text)
                }
                if report.run.isOver { return try await sink.send(event: "end", data: report.json().text) }
            } catch let error as PostgresError where error.isUnavailable {
                // The stream stays open until the database is available again.
            }
            try await loop.sleep(for: interval)
        }
    }
}

extension Caller {
    fileprivate var streamHolder: RunProgress.Holder {
        switch self {
        case .key(let key): key.createdBy.map { .person($0) } ?? .key(key.id)
        case .person(let signedIn, _): .person(signedIn.user.id)
        }
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}
