import APNS
import Campaigns
import EventLoop
import Postgres
import Store

/// Limits sending to the rates that the run and its app allow.
extension BatchSender {
    func windowLimit(_ most: Int) -> Int {
        job.states.pushesPerSecond(of: batch.run).map { rateLimitWindow.pushes(at: $0, atMost: most) } ?? most
    }

    /// Reserves time for the window under a rate limit, and stores that it may be on the wire from now on.
    func declare(_ next: inout DeclaredWindow?) async -> Bool {
        guard let count = next?.window.count else { return true }
        if let pushesPerSecond = job.states.pushesPerSecond(of: batch.run) {
            next?.pushesPerSecond = pushesPerSecond
            do throws(PostgresError) {
                let asked = MonotonicTime.now()
                let delay = try await job.rateLimits.reserve(count, run: batch.run, app: batch.app)
                rateLimitWindow.reserved(waiting: delay)
                next?.mayStart = asked + delay
            } catch {
                // The flush waits for the database and logs the error.
                next?.mayStart = .now() + .seconds(1)
            }
        }
        return await flush(.held(lease: job.options.lease))
    }

    /// Waits for the window's start. False when nothing may be sent any more: its pushes stay unsent.
    func waitForStart(for declared: DeclaredWindow) async -> Bool {
        while let start = declared.mayStart, .now() < start {
            // After a change of the rate limit the reserved time is wrong.
            guard disposition() == nil, job.states.pushesPerSecond(of: batch.run) == declared.pushesPerSecond else {
                return false
            }
            await pauseSignal.sleep(upTo: min(start - .now(), Self.watchInterval))
        }
        return true
    }

    /// The longest time until a pause is noticed while a window waits for its start, or is being sent.
    static let watchInterval = Duration.milliseconds(200)
}
