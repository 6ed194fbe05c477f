import APNS
import Application
import Campaigns
import EventLoop
import Logging
import Notifications
import Store

/// One batch: its pushes go to Apple, some of them again, until each has its last word or its time is over. Only then,
/// and when somebody has to wait, is anything stored.
extension PushOutbox {
    func deliver(_ batch: TakenBatch, _ held: Held) async {
        var progress = batch.progress
        var gone: [RetiringStore.Gone] = []
        while !held.isLost {
            let (indices, until) = progress.next(at: .now())
            held.patience = until
            if !indices.isEmpty { await attempt(batch, indices, held, &progress, &gone) }
            if tools.stop.isStopping { progress.giveUp() }
            guard !progress.isOver else { break }
            let pause = progress.pause(among: tools.options.retryDelays, at: .now())
            guard !progress.isOver else { break }
            // The others' outcomes are known, and may be asked for.
            await store(batch, progress, held)
            await held.alarm.sleep(upTo: pause)
        }
        if !held.isLost { await store(batch, progress, held) }
        await retire(gone, of: batch)
        tools.onEvent?(.ended(batch.id, isStored: !held.isLost))
    }

    // MARK: The wire

    private func attempt(
        _ batch: TakenBatch, _ indices: [Int], _ held: Held, _ progress: inout PushProgress,
        _ gone: inout [RetiringStore.Gone]
    ) async {
        let client: APNSClient
        do {
            guard let found = try await self.client(for: batch.app, batch.environment) else {
                for index in indices { progress.record(index, OutcomeCode.suppressedNoCredential) }
                return
            }
            client = found
        } catch let unusable as UnusableClient {
            // It would not be mended within anybody's patience.
            tools.logger.error("pushes cannot be sent", metadata: ["reason": "\(unusable)"])
            for index in indices { progress.record(index, OutcomeCode.suppressedNoCredential) }
            return
        } catch {
            tools.logger.warning("pushes wait for the database", metadata: ["reason": "\(error)"])
            for index in indices { progress.putOff(index) }
            return
        }
        let window = takeWindow()
        window.fill(with: indices, of: batch)
        window.allow(until: mayTouchWireUntil(held))
        held.window = window
        let ending = await client.send(window)
        held.window = nil
        sent[batch.app, default: 0] += indices.count - window.unsentCount
        if case .unavailable(let error) = ending {
            tools.logger.warning("pushes wait for APNs", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
        let codes = await tools.codes.rejections(in: window, reasons: tools.reasons, logger: tools.logger)
        for (place, index) in indices.enumerated() {
            let result = window.results[place]
            progress.record(index, result, code: codes[result.reason] ?? OutcomeCode.rejectedOther)
            if let device = RetiringStore.Gone(result, device: batch.recipients[index]) { gone.append(device) }
        }
        giveBack(window)
    }

    // MARK: The ledger

    /// Until it is stored, or certainly cannot be.
    private func store(_ batch: TakenBatch, _ progress: PushProgress, _ held: Held) async {
        while !held.isLost {
            let began = MonotonicTime.now()
            do {
                let ledger = BatchProgress.ledger(of: progress.outcomes, kinds: try await tools.codes.allKinds())
                let update = PushBatchUpdate(batch: batch.id, outcomes: progress.outcomes, ledger: ledger)
                guard try await tools.ledger.submit(update) else {
                    tools.logger.error("pushes lost to another process", metadata: ["batch": "\(batch.id)"])
                    return held.isLost = true
                }
                held.leaseBegan = began
                if update.isEnd { tools.metrics.stored(ledger, after: Ledger()) }
                return
            } catch {
                tools.logger.warning(
                    "outcomes of pushes wait", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
                // What the database refuses it refuses again; who takes the batch over says what is left to say.
                if case GroupCommitError.refused = error { return held.isLost = true }
                if tools.stop.mustGiveUp { return held.isLost = true }
            }
            do throws(CancellationError) {
                try await loop.sleep(for: tools.options.pauseWhenAway)
            } catch {
                return held.isLost = true
            }
        }
    }

    /// Whom this misses, the next push finds gone again.
    private func retire(_ gone: [RetiringStore.Gone], of batch: TakenBatch) async {
        do {
            _ = try await tools.retiring.retire(gone, app: batch.app)
        } catch {
            tools.logger.warning(
                "devices could not be retired", metadata: ["batch": "\(batch.id)", "reason": "\(error)"])
        }
    }
}

extension PushProgress {
    /// Apple's answer, or what is known without one. `code` is the ledger's for its reason.
    mutating func record(_ index: Int, _ result: PushResult, code: UInt8) {
        switch result.state {
        case .answered where result.status == 200: record(index, OutcomeCode.accepted)
        case .answered:
            switch result.action {
            case .retryDevice, .retryLater, .keepToken, .reconnect, .renewToken: putOff(index, refusedAs: code)
            case .fix, .dropToken, .suspectToken, .detachToken, .stop, nil: record(index, code)
            }
        case .unsent: putOff(index)
        case .deadlinePassed: record(index, OutcomeCode.unknownDeadline)
        case .streamReset: record(index, OutcomeCode.unknownReset)
        case .connectionLost, .inFlight: record(index, OutcomeCode.unknownConnectionLost)
        }
    }
}

extension RetiringStore.Gone {
    /// Nil unless Apple says so, and since when.
    init?(_ result: PushResult, device: Int64) {
        guard result.action == .dropToken, result.timestamp > 0 else { return nil }
        self.init(
            device: device, since: result.timestamp,
            isExpiredToken: ReasonTable.reason(result.reason) == .expiredToken)
    }
}

extension PushWindow {
    /// The pushes for these places of the batch, in their order.
    fileprivate func fill(with indices: [Int], of batch: TakenBatch) {
        let places = Dictionary(uniqueKeysWithValues: batch.pushes.enumerated().map { ($1.index, $0) })
        var headers = -1
        for index in indices {
            guard let place = places[index] else { continue }
            let push = batch.pushes[place]
            if push.headers != headers {
                if headers < 0 { reset(headers: batch.headers[push.headers]) } else { use(batch.headers[push.headers]) }
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
