import EventLoop
import Store

/// Takes room for windows in the process's budget of unresolved recipients.
extension BatchSender {
    /// The number of recipients that may be declared now, at most `limit`. 0 if there is no room for a useful window: a
    /// batch with a window on the wire asks again when that is answered, a batch without one waits until there is room,
    /// or until it must end.
    func room(for limit: Int, isFirst: Bool) async -> Int {
        let own = taken - progress.unresolved
        guard own < limit, progress.hasNext else { return limit }
        if take(limit - own, for: isFirst ? .first : .next) { return limit }
        if own >= UnresolvedBudget.smallWindow { return own }
        return isFirst ? await waitForRoom(limit) : 0
    }

    private func waitForRoom(_ limit: Int) async -> Int {
        job.unresolved.beginWaiting(signal)
        defer { job.unresolved.endWaiting(signal) }
        let patience = MonotonicTime.now() + Self.patience
        var renewal = MonotonicTime.now() + job.options.renewal
        while disposition() == nil {
            await recordLate()
            let own = taken - progress.unresolved
            if take(limit - own, for: .first) { return limit }
            let small = min(limit, UnresolvedBudget.smallWindow)
            if own >= small { return own }
            if .now() >= patience, take(small - own, for: .overdue) { return small }
            await signal.sleep(upTo: Self.watchInterval)
            guard .now() >= renewal else { continue }
            guard await flush(.held(lease: job.options.lease)) else { return 0 }
            renewal = .now() + job.options.renewal
        }
        return 0
    }

    private func take(_ count: Int, for purpose: UnresolvedBudget.Purpose) -> Bool {
        guard count > 0 else { return true }
        guard job.unresolved.take(count, for: purpose) else { return false }
        taken += count
        return true
    }

    /// The time after which a batch takes a small window instead of waiting for a large one.
    private static let patience = Duration.milliseconds(200)
}
