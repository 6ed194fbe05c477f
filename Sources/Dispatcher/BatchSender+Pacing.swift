import APNS
import Campaigns
import EventLoop
import Postgres
import Store

/// Sending no faster than the run and its app allow.
extension BatchSender {
    /// With a pace, a window is a tenth of a second's pushes: a small one is soon over, and many make an even flow.
    func windowLimit(_ most: Int) -> Int {
        job.states.pace(of: batch.run).map { min(most, max(1, $0 / 10)) } ?? most
    }

    /// Books the window's time where there is a pace, and stores that it may be on the wire from now on.
    func declare(_ next: inout DeclaredWindow?) async -> Bool {
        guard let count = next?.window.count else { return true }
        if let pace = job.states.pace(of: batch.run) {
            next?.pace = pace
            do throws(PostgresError) {
                let asked = MonotonicTime.now()
                next?.mayStart = asked + (try await job.paces.book(count, run: batch.run, app: batch.app))
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
            guard standing(hasDeclared: true) == nil, job.states.pace(of: batch.run) == declared.pace else {
                return false
            }
            await paceAlarm.sleep(upTo: min(start - .now(), Self.paceCheck))
        }
        return true
    }

    /// How soon a pause is noticed while a window waits for its time.
    private static let paceCheck = Duration.milliseconds(200)
}
