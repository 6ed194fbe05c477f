public import Campaigns

/// What a worker has just done: tests wait for these, and counters move by them. Never one per push.
public enum DispatchEvent: Sendable {
    case runStarted(Run.ID)
    case planned(Run.ID, looked: Int)
    case claimed(Batch.ID)
    case tookOver(Batch.ID)
    /// The flush that lets a window of so many touch the wire is committed.
    case windowDeclared(Batch.ID, count: Int)
    case windowAnswered(Batch.ID, count: Int)
    case batchDone(Batch.ID)
    case batchReleased(Batch.ID)
    case batchLost(Batch.ID)
    /// So many runs of before a restore or failover wait for a person.
    case held(runs: Int)
    case runFinished(Run.ID, isVerified: Bool)
}
