import Campaigns
import EventLoop
import Store

/// The last known state of each open run, so that a pause stops the next window and not only the next batch.
final class RunStates: Sendable {
    private struct RunStatus {
        var state: RunRecord.State
        var pushesPerSecond: Int?
    }

    private let runs = Lock<[Run.ID: RunStatus]>([:])

    subscript(run: Run.ID) -> RunRecord.State? { runs.withLock { $0[run]?.state } }

    var isEmpty: Bool { runs.withLock { $0.isEmpty } }

    /// The run's maximum pushes per second; nil without a limit.
    func pushesPerSecond(of run: Run.ID) -> Int? { runs.withLock { $0[run]?.pushesPerSecond } }

    func set(_ state: RunRecord.State, of run: Run.ID) {
        runs.withLock { $0[run, default: RunStatus(state: state)].state = state }
    }

    func set(pushesPerSecond: Int?, of run: Run.ID) {
        runs.withLock { $0[run]?.pushesPerSecond = pushesPerSecond }
    }

    func replaceAll(_ open: [ClaimStore.OpenRun]) {
        runs.withLock { runs in
            runs = Dictionary(
                open.map { ($0.id, RunStatus(state: $0.state, pushesPerSecond: $0.pushesPerSecond)) },
                uniquingKeysWith: { $1 })
        }
    }
}
