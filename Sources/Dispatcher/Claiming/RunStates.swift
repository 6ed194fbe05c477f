import Campaigns
import EventLoop
import Store

/// How each open run stands as far as this process knows, so that a pause stops the next window and
/// not only the next batch.
final class RunStates: Sendable {
    private struct Standing {
        var state: RunRecord.State
        var pace: Int?
    }

    private let runs = Lock<[Run.ID: Standing]>([:])

    subscript(run: Run.ID) -> RunRecord.State? { runs.withLock { $0[run]?.state } }

    /// Pushes a second that it may send at most; nil without a limit.
    func pace(of run: Run.ID) -> Int? { runs.withLock { $0[run]?.pace } }

    func set(_ state: RunRecord.State, of run: Run.ID) {
        runs.withLock { $0[run, default: Standing(state: state)].state = state }
    }

    func replaceAll(_ open: [ClaimStore.OpenRun]) {
        runs.withLock { runs in
            runs = Dictionary(
                open.map { ($0.id, Standing(state: $0.state, pace: $0.pace)) }, uniquingKeysWith: { $1 })
        }
    }
}
