import APNS
import Campaigns
import EventLoop
import Postgres
import Store

/// Sending no faster than the run and its app allow.
extension BatchSender {
    func windowLimit(_ most: Int) -> Int {
        job.states.pace(of: batch.run).map { paceSpan.pushes(at: $0, atMost: most) } ?? most
    }

    /// Books the window's time where there is a pace, and stores that it may be on the wire from now on.
    func declare(_ next: inout DeclaredWindow?) async -> Bool {
        guard let count = next?.window.count else { return true }
        if let pace = job.states.pace(of: batch.run) {
            next?.pace = pace
            do throws(PostgresError) {
                let asked = MonotonicTime.now()
                let delay = try await job.paces.book(count, run: batch.run, app: batch.app)
                paceSpan.booked(waiting: delay)
                next?.mayStart = asked + delay
            } catch {
                // The flush waits for the database, and tells of it.
                next?.mayStart = .now() + .seconds(1)
            }
        }
        return await flush(.held(lease: job.options.lease))
    }

    /// Waits for the window's time. False when nothing may be sent any more: its pushes stay unsent.
    func isTime(for declared: DeclaredWindow) async -> Bool {
        while let start = declared.mayStart, .now() < start {
            // At another pace it would wait too long, or too short.
            guard standing() == nil, job.states.pace(of: batch.run) == declared.pace else {
                return false
            }
            await pauseAlarm.sleep(upTo: min(start - .now(), Self.watchInterval))
        }
        return true
    }

    /// How soon a pause is noticed while a window waits for its time, or is being sent.
    static let watchInterval = Duration.milliseconds(200)
}
