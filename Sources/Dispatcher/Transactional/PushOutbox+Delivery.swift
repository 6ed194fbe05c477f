import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

/// Delivers one batch: sends its pushes, and retries some of them, until each has a final outcome or has expired.
/// Outcomes are stored at the end and before each pause.
extension PushOutbox {
    func deliver(_ batch: AcceptedBatch, _ held: LeasedBatch) async {
        var progress = batch.progress
        var invalidatedTokens: [DeviceRetirementStore.InvalidatedToken] = []
        while !held.isLost {
            let (indices, until) = progress.next(at: .now())
            held.retryDeadline = until
            if !indices.isEmpty { await attempt(batch, indices, held, &progress, &invalidatedTokens) }
            if dependencies.stop.isStopping { progress.giveUp() }
            guard !progress.isOver else { break }
            let pause = progress.pause(among: dependencies.options.retryDelays, at: .now())
            guard !progress.isOver else { break }
            // Store the outcomes known so far, so that clients can read them.
            await store(batch, progress, held)
            await held.signal.sleep(upTo: pause)
        }
        if !held.isLost { await store(batch, progress, held) }
        dependencies.retirements.add(invalidatedTokens, app: batch.app)
        dependencies.onEvent?(.ended(batch.id, isStored: !held.isLost))
    }

    // MARK: Sending

    private func attempt(
        _ batch: AcceptedBatch, _ indices: [Int], _ held: LeasedBatch, _ progress: inout PushProgress,
        _ invalidatedTokens: inout [DeviceRetirementStore.InvalidatedToken]
    ) async {
        let client: APNSClient
        do {
            guard let found = try await self.client(for: batch.app, batch.environment) else {
                for index in indices { progress.record(index, OutcomeCode.suppressedNoCredential) }
                return
            }
            client = found
        } catch let unusable as ClientUnavailable {
            // Retrying would not help before the pushes expire.
            dependencies.logger.error("pushes not sent", metadata: .pushes(batch, ["reason": "\(unusable)"]))
            for index in indices { progress.record(index, OutcomeCode.suppressedNoCredential) }
            return
        } catch {
            dependencies.logger.warning(
                "pushes waiting for the database", metadata: .pushes(batch, ["reason": "\(error)"]))
            for index in indices { progress.retryLater(index) }
            return
        }
        let window = takeWindow()
        window.fill(with: indices, of: batch)
        window.allow(until: sendDeadline(held))
        held.window = window
        let ending = await client.send(window)
        held.window = nil
        sent[batch.app, default: 0] += indices.count - window.unsentCount
        progress.expired = OutcomeCode.expired
        if case .unavailable(let error) = ending {
            if let reason = error.answerToAll {
                progress.expired = await dependencies.codes.expiry(because: reason, logger: dependencies.logger)
            }
            // The client logs once that Apple can't be reached.
            dependencies.logger.debug(
                "pushes waiting for APNs", metadata: .pushes(batch, ["reason": "\(error)"]))
        }
        let codes = await dependencies.codes.codes(
            of: window.rejections, reasons: dependencies.reasons, logger: dependencies.logger)
        for (position, index) in indices.enumerated() {
            let result = window.results[position]
            progress.record(index, result, codes: codes)
            if let token = DeviceRetirementStore.InvalidatedToken(result, device: batch.recipients[index]) {
                invalidatedTokens.append(token)
            }
        }
        invalidatedTokens += await badTokens(window, indices, of: batch)
        release(window)
    }

    // MARK: The ledger

    /// Stores the outcomes; returns when they are stored or the batch is lost.
    private func store(_ batch: AcceptedBatch, _ progress: PushProgress, _ held: LeasedBatch) async {
        while !held.isLost {
            let began = MonotonicTime.now()
            do {
                let counts = OutcomeCounts(progress.outcomes)
                let ledger = counts.ledger(kinds: try await dependencies.codes.allKinds())
                let update = PushBatchUpdate(batch: batch.id, outcomes: progress.outcomes, ledger: ledger)
                guard try await dependencies.ledger.submit(update) else {
                    dependencies.logger.error("batch lost to another process", metadata: .pushes(batch))
                    return held.isLost = true
                }
                held.lease.renewed(at: began)
                if update.isEnd { dependencies.metrics.stored(counts, after: OutcomeCounts()) }
                return
            } catch {
                dependencies.logger.warning(
                    "outcomes waiting to be stored", metadata: .pushes(batch, ["reason": "\(error)"]))
                // The database would refuse it again. The process that takes the batch over ends it.
                if case GroupCommitError.refused = error { return held.isLost = true }
                if dependencies.stop.isPastDrainTimeout { return held.isLost = true }
            }
            do throws(CancellationError) {
                try await loop.sleep(for: dependencies.options.unavailableRetryDelay)
            } catch {
                return held.isLost = true
            }
        }
    }
}

extension PushProgress {
    /// Records the result of a push.
    mutating func record(_ index: Int, _ result: PushResult, codes: [ReasonTable.Number: UInt8]) {
        switch PushVerdict(result, codes: codes) {
        case .accepted: record(index, OutcomeCode.accepted)
        case .refused(let reaction, let code):
            switch reaction.push {
            case .waitsForApple, .waitsForDevice:
                retryLater(index, refusedAs: reaction.isAboutProviderToken ? nil : code)
            case .ends: record(index, code)
            }
        case .unsent: retryLater(index)
        case .unknown(let code): record(index, code)
        }
    }
}

extension PushWindow {
    /// The pushes at these indices of the batch, in their order.
    fileprivate func fill(with indices: [Int], of batch: AcceptedBatch) {
        let pushNumbers = Dictionary(uniqueKeysWithValues: batch.pushes.enumerated().map { ($1.index, $0) })
        var headers = -1
        for index in indices {
            guard let number = pushNumbers[index] else { continue }
            let push = batch.pushes[number]
            if push.headers != headers {
                let next = batch.headers[push.headers]
                if headers < 0 { reset(headers: next) } else { setHeaders(next) }
                headers = push.headers
            }
            push.token.bytes.withUnsafeBytes { token in
                let (id, payload) = beginPush(token: token)
                push.id.write(into: id)
                push.payload.write(push.id, into: payload)
                endPush(payloadLength: push.payload.count)
            }
        }
    }
}
