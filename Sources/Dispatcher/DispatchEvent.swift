public import Campaigns

/// An event of a worker, for tests and counters. There is never one per push.
public enum DispatchEvent: Sendable {
    case runStarted(Run.ID)
    case planned(Run.ID, scanned: Int)
    case claimed(Batch.ID)
    case tookOver(Batch.ID)
    /// The flush that declares a window of `count` pushes is committed: they may be sent.
    case windowDeclared(Batch.ID, count: Int)
    case windowAnswered(Batch.ID, count: Int)
    case batchDone(Batch.ID)
    case batchReleased(Batch.ID)
    case batchLost(Batch.ID)
    /// This process began another generation of the database, since commits may be lost.
    case generationBegan(DatabaseTrust.Doubt)
    /// Runs from before a restore or failover were paused.
    case pausedAfterRestore(runs: Int)
    case runFinished(Run.ID, isVerified: Bool)
}
