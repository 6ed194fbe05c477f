import APNS
import Campaigns
import EventLoop
import Logging
import Postgres
import Store

/// The way of a window: room for its recipients, its declaration, and its time on the wire.
extension BatchSender {
    /// The longest time until a pause is noticed while a window waits for room or for its start, or is being sent.
    private static let watchInterval = Duration.milliseconds(200)
    /// The time after which a batch takes a small window instead of waiting for a large one.
    private static let patience = Duration.milliseconds(200)

    // MARK: Room

    func windowLimit(_ most: Int, at pushesPerSecond: Int?) -> Int {
        pushesPerSecond.map { rateLimitWindow.pushes(at: $0, atMost: most) } ?? most
    }

    /// The number of recipients that may be declared now, at most `limit`. 0 if there is no room for a useful window: a
    /// batch with a window on the wire asks again when that is answered, a batch without one waits until there is room,
    /// or until it must end.
    func room(for limit: Int, isFirst: Bool) async -> Int {
        let unresolved = lease.record.progress.unresolved
        switch lease.share.room(for: limit, beside: unresolved, isFirst ? .first : .next) {
        case .granted(let count): return count
        case .missing: return isFirst ? await waitForRoom(limit) : 0
        }
    }

    private func waitForRoom(_ limit: Int) async -> Int {
        process.unresolved.beginWaiting(signal)
        defer { process.unresolved.endWaiting(signal) }
        let patience = MonotonicTime.now() + Self.patience
        var room = BudgetShare.Room.missing
        _ = await lease.whileHolding {
            guard lease.ending == nil else { return nil }
            await recordLate()
            let unresolved = lease.record.progress.unresolved
            room = lease.share.room(for: limit, beside: unresolved, .first)
            if room == .missing, .now() >= patience {
                let small = min(limit, UnresolvedBudget.smallWindow)
                room = lease.share.room(for: small, beside: unresolved, .overdue)
            }
            return room == .missing ? Self.watchInterval : nil
        }
        if case .granted(let count) = room { return count }
        return 0
    }

    // MARK: Declaration

    /// Reserves time for the window under a rate limit, and stores that it may be on the wire from now on. After a change
    /// of the rate limit, there is no window any more: its recipients are in the next one.
    func declare(_ next: inout DeclaredWindow?) async -> Bool {
        guard let window = next else { return true }
        if window.pushesPerSecond != nil {
            do throws(PostgresError) {
                let asked = MonotonicTime.now()
                let reserved = try await process.rateLimits.reserve(
                    window.window.count, run: batch.run, app: batch.app)
                if reserved.pushesPerSecond != window.pushesPerSecond {
                    // Its size is wrong: it is not declared.
                    process.states.set(pushesPerSecond: reserved.pushesPerSecond, of: batch.run)
                    lease.record.requeue(window)
                    next = nil
                } else {
                    rateLimitWindow.reserved(waiting: reserved.delay)
                    next?.mayStart = asked + reserved.delay
                }
            } catch {
                // The flush waits for the database and logs the error.
                next?.mayStart = .now() + .seconds(1)
            }
        }
        return await lease.renew()
    }

    // MARK: On the wire

    /// Sends a window. Meanwhile renews the lease, and revokes the window when sending has to stop.
    func send(_ declared: DeclaredWindow, with client: APNSClient) async {
        isOnWire = true
        async let watched: Void = watch(declared.window)
        let ending = await waitForStart(of: declared) ? client.send(declared.window) : .done
        isOnWire = false
        signal.call()
        await watched
        guard case .unavailable(let error) = ending else { return }
        isAPNSUnavailable = true
        if case .slowedDown(let answer) = error { lease.record.refusedAll(answer) }
        // The client logs once that Apple can't be reached; each batch would repeat it every second.
        process.logger.debug("pushes waiting for APNs", metadata: .batch(batch, ["reason": "\(error)"]))
    }

    private func watch(_ window: PushWindow) async {
        _ = await lease.whileHolding {
            guard isOnWire else { return nil }
            if lease.ending != nil || window.hasStopResponse { window.revoke() }
            window.allow(until: lease.sendDeadline)
            return Self.watchInterval
        }
    }

    /// Waits for the window's start. False when nothing may be sent any more: its pushes stay unsent.
    private func waitForStart(of declared: DeclaredWindow) async -> Bool {
        while true {
            // After a change of the rate limit, the window's size and its time are wrong.
            guard lease.ending == nil, process.states.pushesPerSecond(of: batch.run) == declared.pushesPerSecond else {
                return false
            }
            guard let start = declared.mayStart, .now() < start else { return true }
            await loop.pause(for: min(start - .now(), Self.watchInterval))
        }
    }
}
