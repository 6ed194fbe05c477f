import APNS
import Campaigns
import EventLoop
import JSON
import Logging
import Notifications
import Store

/// The beginning and the end of a batch: with a client for its app or without, and what is stored last.
extension BatchSender {
    func sendBatch() async -> End {
        await pauseIfThresholdExceeded()
        // A cancelled batch ends without a client; the app may not have one.
        if let ending = lease.ending { return await end(ending) }
        do {
            guard let client = try await process.clients.client(for: batch.app, batch.environment) else {
                return try await endWithoutClient()
            }
            return try await send(with: client)
        } catch let unusable as ClientUnavailable {
            // Another process that claims the batch would fail in the same way.
            return await release(pausing: .configuration("\(unusable.message) Then resume."))
        } catch {
            // The recipients could not be read. No window is declared: the next holder goes on at the same position.
            process.logger.warning("batch released", metadata: .batch(batch, ["reason": "\(error)"]))
            return await release()
        }
    }

    /// Stores the pause again if that failed before, so that nothing more is sent.
    private func pauseIfThresholdExceeded() async {
        guard (process.states[batch.run] ?? .sending) == .sending, let rejectionStop = job.rejectionStop else { return }
        guard await !job.pause(batch.runKey, because: rejectionStop) else { return }
        // Released immediately, the batch would be claimed again immediately.
        await loop.pause(for: process.options.unavailableRetryDelay)
    }

    /// Suppresses the recipients if the app never had a credential for the environment. If it had one, the credential
    /// may be about to be replaced, so the run is paused.
    private func endWithoutClient() async throws -> End {
        let isLost = try await process.pauses.hasLostCredential(batch)
        guard isLost, !batch.isEnvironmentProbe else {
            lease.record.progress.endRemaining(OutcomeCode.suppressedNoCredential)
            return await end(.done)
        }
        let environment = batch.environment.name
        return await release(
            pausing: .configuration(
                "The app's .p8 key for Apple's \(environment) environment was removed. Add one, then resume."))
    }

    /// Released immediately, the batch would be claimed again immediately, in an endless loop: also when the pause of the
    /// run could not be stored.
    private func release(pausing stop: StopReason? = nil) async -> End {
        if let stop { await job.pause(batch.runKey, because: stop) }
        await loop.pause(for: process.options.unavailableRetryDelay)
        return await end(.released)
    }

    func end(_ ending: BatchEnding) async -> End {
        guard await resolveLate() else { return .lost }
        var deferrals: [BatchDeferral] = []
        if ending == .done {
            let over = lease.over
            if let over { lease.record.progress.endRemaining(over.code) }
            deferrals = await self.deferrals(isOver: over != nil)
        }
        guard await lease.flush(ending.disposition, deferrals: deferrals) else { return .lost }
        return ending == .done ? .done : .released
    }

    /// Waits for all late pushes before the batch ends: the next holder would take their recipients for unknown. They
    /// are resolved within the request deadline. False when the batch is lost.
    private func resolveLate() async -> Bool {
        await lease.whileHolding {
            await recordLate()
            return lease.record.lateCount == 0 ? nil : BatchRest.longestWait
        }
    }
}
