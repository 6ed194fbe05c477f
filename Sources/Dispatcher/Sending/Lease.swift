import APNS
import EventLoop

/// A lease as its holder may rely on it, for batches of campaigns and of transactional pushes.
///
/// It counts from the moment before the claim or the renewal was sent, so it ends no later than in the database.
struct Lease: Hashable {
    private(set) var began: MonotonicTime

    /// `began` is the time before the statement that claimed or renewed the lease.
    mutating func renewed(at began: MonotonicTime) { self.began = began }

    /// A push that begins before this moment is answered or given up, and its outcome is stored, before the lease ends.
    func sendDeadline(_ options: DispatcherOptions) -> MonotonicTime {
        began + options.lease - options.apns.requestDeadline - options.margin
    }
}
