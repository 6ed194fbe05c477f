import Campaigns
import EventLoop
import Store

/// How each open run stands as far as this process knows, so that a pause stops the next window and
/// not only the next batch.
final class RunStates: Sendable {
    private let states = Lock<[Run.ID: RunRecord.State]>([:])

    subscript(run: Run.ID) -> RunRecord.State? {
        get { states.withLock { $0[run] } }
    }

    func set(_ state: RunRecord.State, of run: Run.ID) {
        states.withLock { $0[run] = state }
    }

    func replaceAll(_ runs: [ClaimStore.OpenRun]) {
        states.withLock { states in states = Dictionary(runs.map { ($0.id, $0.state) }, uniquingKeysWith: { $1 }) }
    }
}
