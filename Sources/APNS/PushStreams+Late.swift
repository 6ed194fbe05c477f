import EventLoop
import HTTP2

/// Late pushes: when all pushes of a window are on the wire and nearly all are answered, the others leave it. Their
/// streams get tags of the `LateTable`, and the window is returned.
extension PushStreams {
    /// The time for the last answers of a window, once nearly all have come.
    static let grace = Duration.milliseconds(10)
    /// Nearly all: at most one in this many is missing, or only one.
    static let lateShare = 20

    func releaseLate(at now: MonotonicTime) {
        for slot in windows.nearlyDone(lateShare: Self.lateShare) {
            guard let since = windows.nearlyDoneSince(slot) else {
                windows.noteNearlyDone(slot, at: now)
                wakeUp?(Self.grace)
                continue
            }
            guard now - since >= Self.grace else { continue }
            release(slot)
            // Some may not leave yet.
            guard windows.nearlyDoneSince(slot) != nil else { continue }
            windows.noteNearlyDone(slot, at: now)
            wakeUp?(Self.grace)
        }
    }

    private func release(_ slot: Int) {
        guard let session, let window = windows[slot]?.window, let owner = window.late else { return }
        for index in 0..<window.count where window.results[index].state == .inFlight {
            let item = window.items[index]
            // nghttp2 still needs the memory of the others.
            guard Int(item.bodySent) == item.payloadLength else { continue }
            let tag = windows.tag(slot, index)
            let entry = LateTable.Entry(
                id: LatePushes.ID(window: window.number, index: index), owner: owner, stream: item.stream,
                deadline: deadlines.deadline(of: tag) ?? .now(), result: window.results[index])
            let lateTag = late.add(entry)
            session.setTag(lateTag, of: item.stream)
            tally.moved(tag.rawValue, to: lateTag)
            // The answer may have begun.
            if let body = bodies.removeValue(forKey: tag.rawValue) { bodies[lateTag] = body }
            window.results[index].state = .late
            windows.released(tag)?.resume()
        }
    }

    /// Gives its owner the result of a push; does nothing if that was done.
    func resolveLate(_ tag: Int, as state: PushResult.State) {
        guard var entry = late.remove(tag) else { return }
        entry.result.state = state
        if state == .answered {
            self.state.answered(status: entry.result.status)
            if entry.result.status != 200 { read(bodies.removeValue(forKey: tag) ?? [], into: &entry.result) }
            tally.answered(tag, entry.result)
        } else {
            self.state.released()
        }
        entry.owner.resolved(entry.id, entry.result)
    }

    /// False when the connection has ended, because the peer is silent.
    func expireLate(at now: MonotonicTime) -> Bool {
        for tag in late.expired(at: now) {
            guard let entry = late[tag] else { continue }
            if liveness.lastReceived <= entry.deadline - options.requestDeadline || session?.isBlocked == true {
                end("no answer within \(options.requestDeadline)")
                return false
            }
            session?.submitReset(stream: entry.stream, code: .cancel)
            resolveLate(tag, as: .deadlinePassed)
        }
        return true
    }

    func endLate() {
        for var entry in late.removeAll() {
            entry.result.state = .connectionLost
            entry.owner.resolved(entry.id, entry.result)
        }
    }
}
