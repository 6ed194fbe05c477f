import APNS
import Campaigns
import EventLoop
import Postgres
import Store

/// Limits sending to the rates that the run and its app allow.
extension BatchSender {
    func windowLimit(_ most: Int, at pushesPerSecond: Int?) -> Int {
        pushesPerSecond.map { rateLimitWindow.pushes(at: $0, atMost: most) } ?? most
    }

    /// Reserves time for the window under a rate limit, and stores that it may be on the wire from now on. After a change
    /// of the rate limit, there is no window any more: its recipients are in the next one.
    func declare(_ next: inout DeclaredWindow?) async -> Bool {
        guard let count = next?.window.count else { return true }
        if next?.pushesPerSecond != nil {
            do throws(PostgresError) {
                let asked = MonotonicTime.now()
                let reserved = try await job.rateLimits.reserve(count, run: batch.run, app: batch.app)
                if let window = next, reserved.pushesPerSecond != window.pushesPerSecond {
                    // Its size is wrong: it is not declared.
                    job.states.set(pushesPerSecond: reserved.pushesPerSecond, of: batch.run)
                    requeue(window)
                    next = nil
                } else {
                    rateLimitWindow.reserved(waiting: reserved.delay)
                    next?.mayStart = asked + reserved.delay
                }
            } catch {
                // The flush waits for the database and logs the error.
                next?.mayStart = .now() + .seconds(1)
            }
        }
        return await flush(.held(lease: job.options.lease))
    }

    /// Waits for the window's start. False when nothing may be sent any more: its pushes stay unsent.
    func waitForStart(for declared: DeclaredWindow) async -> Bool {
        while true {
            // After a change of the rate limit, the window's size and its time are wrong.
            guard disposition() == nil, job.states.pushesPerSecond(of: batch.run) == declared.pushesPerSecond else {
                return false
            }
            guard let start = declared.mayStart, .now() < start else { return true }
            await loop.pause(for: min(start - .now(), Self.watchInterval))
        }
    }

    /// The longest time until a pause is noticed while a window waits for its start, or is being sent.
    static let watchInterval = Duration.milliseconds(200)
}
