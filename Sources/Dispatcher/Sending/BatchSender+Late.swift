import APNS
import Campaigns
import EventLoop
import Store

/// Pushes whose answers come after their window: the batch goes on meanwhile. Once nothing else is left, it waits for
/// them, and for deferred pushes, without its place.
extension BatchSender {
    nonisolated func latePushes() -> LatePushes {
        LatePushes { [weak self] id, result in self?.assumeIsolated { $0.take(id, result) } }
    }

    private func take(_ id: LatePushes.ID, _ result: PushResult) {
        lateResults.append((id, result))
        signal.call()
    }

    /// Records the late results that have come.
    func recordLate() async {
        guard !lateResults.isEmpty else { return }
        let arrived = lateResults
        lateResults.removeAll(keepingCapacity: true)
        let results = arrived.compactMap { id, result in late.removeValue(forKey: id).map { ($0, result) } }
        hasUnstoredLate = true
        await record(results)
    }

    /// Waits until recipients can be sent to again, or nobody is left. Other batches have the place meanwhile. False when
    /// the batch was lost.
    func waitForRest() async -> Bool {
        // All outcomes so far are stored, so their recipients are not unknown if this process is lost meanwhile.
        guard await flush(.held(lease: job.options.lease)) else { return false }
        await leaveIfAllowed()
        var retry: MonotonicTime?
        var renewal = MonotonicTime.now() + job.options.renewal
        var nextStore = MonotonicTime.now() + Self.waitInterval
        while disposition() == nil {
            await recordLate()
            if progress.hasNext || (late.isEmpty && progress.delayed.isEmpty) { break }
            if !progress.delayed.isEmpty { retry = retry ?? retryTime() }
            if let retry, retry <= .now() {
                progress.endDelay()
                break
            }
            await signal.sleep(upTo: min(retry.map { $0 - .now() } ?? Self.waitInterval, Self.waitInterval))
            guard .now() >= renewal || (hasUnstoredLate && .now() >= nextStore) else { continue }
            guard await flush(.held(lease: job.options.lease)) else { return false }
            renewal = .now() + job.options.renewal
            nextStore = .now() + Self.waitInterval
        }
        return true
    }

    /// Waits for all late pushes before the batch ends: the next holder would take their recipients for unknown. They
    /// are resolved within the request deadline. False when the batch was lost.
    func resolveLate() async -> Bool {
        var renewal = MonotonicTime.now() + job.options.renewal
        while true {
            await recordLate()
            guard !late.isEmpty else { return true }
            await signal.sleep(upTo: Self.waitInterval)
            guard .now() >= renewal else { continue }
            guard await flush(.held(lease: job.options.lease)) else { return false }
            renewal = .now() + job.options.renewal
        }
    }

    private func retryTime() -> MonotonicTime {
        let delays = job.options.retryDelays
        return .now() + delays[min(progress.maximumDelayCount, delays.count) - 1]
    }

    /// The longest time until a batch that waits notices the end of its run, and until it stores late outcomes.
    private static let waitInterval = Duration.seconds(1)
}
