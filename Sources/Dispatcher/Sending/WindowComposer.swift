import APNS
import Application
import Campaigns
import EventLoop
import Store

/// A window whose recipients are declared, with the recipient of each push.
struct DeclaredWindow: Sendable {
    let window: PushWindow
    /// The window's push k is for the batch's recipient `indices[k]`.
    let indices: [Int32]
    /// With a rate limit: when it may go on the wire.
    var mayStart: MonotonicTime?
    /// The rate limit that its size follows.
    var pushesPerSecond: Int?
}

/// The two windows of a batch: one on the wire, one being composed.
final class WindowPair: Sendable {
    private let first = PushWindow()
    private let second = PushWindow()

    func other(than window: PushWindow?) -> PushWindow { window === first ? second : first }
}

/// Declares recipients and writes their pushes into windows.
struct WindowComposer {
    private let batch: ClaimedBatch
    private let job: SendingJob
    private let messageNumber: Int64
    private let content: ContentComposer
    /// The other variants that may lack a value. Who can't get one of them gets none: otherwise those who get a variant
    /// would differ from the others by more than the variant.
    private let others: [ContentComposer]
    /// Recipients per window: fewer if their payloads are long.
    private var size = PushWindow.maximumCount
    /// The number of windows so far.
    private var number = 0

    init(_ batch: ClaimedBatch, _ job: SendingJob) {
        self.batch = batch
        self.job = job
        let (variant, now) = (Int(batch.variant), job.dependencies.clock.estimate)
        messageNumber = job.content.source.variants[variant].messageNumber
        content = ContentComposer(job.content.variants[variant], now: now)
        others = job.content.variants.enumerated().filter { $0.offset != variant && $0.element.dependsOnValues }
            .map { ContentComposer($0.element, now: now) }
    }

    /// Declares and composes the next window; nil when no recipient can be declared now. Allocates nothing per push:
    /// ids, paths and payloads are written into the window's memory.
    mutating func compose(
        _ progress: inout BatchProgress, _ recipients: RecipientRows, limit: Int, into window: PushWindow,
        late: LatePushes
    ) -> DeclaredWindow? {
        var indices: [Int32] = []
        while limit > 0, progress.hasNext {
            progress.declareNext(limit: min(limit, size), into: &indices)
            number += 1
            window.reset(headers: job.headers, late: late, number: number)
            var composed = 0
            for (position, index) in indices.enumerated() {
                if window.isFull {
                    // Their payloads are so long that the window has no room for them: they go with the next ones.
                    for index in indices[position...] { progress.requeue(Int(index)) }
                    size = position
                    break
                }
                if let code = compose(Int(index), recipients, into: window) {
                    skip(Int(index), code, in: &progress)
                } else {
                    indices[composed] = index
                    composed += 1
                }
            }
            guard composed > 0 else { continue }
            indices.removeLast(indices.count - composed)
            return DeclaredWindow(window: window, indices: indices)
        }
        return nil
    }

    private func skip(_ index: Int, _ code: UInt8, in progress: inout BatchProgress) {
        if code == RecipientStore.inOtherEnvironment {
            progress.postpone(index, .environment)
        } else {
            progress.skip(index, code)
        }
    }

    /// Adds a recipient's push to the window, or returns the code of the reason why there is none.
    private func compose(_ index: Int, _ recipients: RecipientRows, into window: PushWindow) -> UInt8? {
        guard let row = recipients.row(of: index) else { return OutcomeCode.suppressedRemoved }
        if let code = recipients.refusal(row) { return code }
        let (id, payload) = window.beginPush(token: recipients.token(row))
        let message = MessageID(
            messageNumber: messageNumber, device: batch.recipients[index], key: job.messageKey)
        message.write(into: id)
        let outcome = content.compose(
            values: { recipients.value($0, of: row) }, id: UnsafeRawBufferPointer(id), into: payload)
        guard case .written(let length) = outcome else { return outcome.suppression }
        for other in others {
            if let code = other.refusal({ recipients.value($0, of: row) }) { return code }
        }
        window.endPush(payloadLength: length)
        return nil
    }
}
