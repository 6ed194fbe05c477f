import EventLoop
import HTTPTypes

/// One sent request and its response so far. It belongs to its connection and is used only on that loop.
final class Exchange {
    let isHead: Bool
    let bodyLimit: Int
    /// Whether the body is consumed in pieces; `deadline` then applies to the head.
    let isStreamed: Bool
    /// Extended while a body is uploaded in pieces.
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

    /// Whether the waiting task can continue.
    var isReady: Bool {
        isComplete || failure != nil || isStreamed && head != nil
    }

    /// Returns when `isDone` returns true. It is checked where the waiter is set, because the task may have been
    /// suspended before that point and missed its wake-up.
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
