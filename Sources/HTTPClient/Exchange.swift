import EventLoop
import HTTPTypes

/// One request that was sent and what has come of it. It belongs to its connection and is touched
/// on that loop only.
final class Exchange {
    let isHead: Bool
    let bodyLimit: Int
    /// A streamed body is taken piece by piece; then `deadline` is for the head.
    let isStreamed: Bool
    /// Moved on while a body goes out piece by piece.
    var deadline: MonotonicTime
    var head: HTTPResponse?
    var body: [UInt8] = []
    var isComplete = false
    var failure: HTTPClientError?
    var waiter: UnsafeContinuation<Void, Never>?

    init(isHead: Bool, bodyLimit: Int, isStreamed: Bool, deadline: MonotonicTime) {
        self.isHead = isHead
        self.bodyLimit = bodyLimit
        self.isStreamed = isStreamed
        self.deadline = deadline
    }

    /// Whether whoever waits has something to look at.
    var isReady: Bool {
        isComplete || failure != nil || isStreamed && head != nil
    }

    /// Returns once `isDone`. That is looked at where the waiter is set: on the way there the task may
    /// have been put off, and its wake-up been missed.
    func wait(until isDone: () -> Bool, onCancel: @escaping @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if isDone() { continuation.resume() } else { waiter = continuation }
            }
        } onCancel: {
            onCancel()
        }
    }

    func wake() {
        waiter?.resume()
        waiter = nil
    }
}
