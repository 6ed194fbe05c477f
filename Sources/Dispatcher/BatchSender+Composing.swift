import APNS
import Campaigns
import EventLoop
import Store

/// A window whose recipients are declared: which of the batch's recipients its pushes are for.
struct DeclaredWindow: Sendable {
    let window: PushWindow
    /// The window's push k is for the batch's recipient `indices[k]`.
    let indices: [Int32]
}

/// The two windows of a batch: one on the wire, one being composed.
final class WindowPair: Sendable {
    private let first = PushWindow()
    private let second = PushWindow()

    func other(than window: PushWindow?) -> PushWindow { window === first ? second : first }
}

extension BatchSender {
    /// Declares and composes the next window; nil when nobody is left for one now. Nothing per push
    /// allocates here: ids, paths and payloads are written into the window's memory.
    func compose(_ recipients: RecipientRows, limit: Int, into window: PushWindow) -> DeclaredWindow? {
        var indices: [Int32] = []
        while progress.hasNext {
            progress.declareNext(limit: limit, into: &indices)
            window.reset(headers: job.headers)
            var kept = 0
            for index in indices {
                let isThere = recipients.withToken(of: Int(index)) { token in
                    compose(device: batch.recipients[Int(index)], token: token, into: window)
                }
                if isThere {
                    indices[kept] = index
                    kept += 1
                } else {
                    progress.record(Int(index), OutcomeCode.suppressedRemoved)
                }
            }
            guard kept > 0 else { continue }
            indices.removeLast(indices.count - kept)
            return DeclaredWindow(window: window, indices: indices)
        }
        return nil
    }

    private func compose(device: Int64, token: UnsafeRawBufferPointer, into window: PushWindow) {
        let (id, payload) = window.beginPush(token: token)
        MessageID(messageNumber: job.content.messageNumber, device: device, key: job.messageKey).write(into: id)
        job.composer.write(id: UnsafeRawBufferPointer(id), into: payload)
        window.endPush(payloadLength: job.composer.length)
    }
}
