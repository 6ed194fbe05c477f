import CLinux

/// The events that a descriptor is watched for, or is ready for.
public struct Interest: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Interest(rawValue: 1)
    public static let write = Interest(rawValue: 2)

    var events: UInt32 {
        (contains(.read) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0) | (contains(.write) ? EPOLLOUT.rawValue : 0)
    }

    /// A hang-up or an error counts as both; the next read or write then returns the error.
    init(events: UInt32) {
        self = []
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { insert(.read) }
        if events & EPOLLOUT.rawValue != 0 { insert(.write) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { formUnion([.read, .write]) }
    }
}

/// One descriptor in a loop's epoll set, used on that loop only.
///
/// epoll is level-triggered here: while the interest stays armed, the handler is called again and
/// again until the descriptor is no longer ready. Disarm it (`interest = []`) when no task waits.
public final class Watch {
    public let descriptor: Int32
    unowned let loop: EventLoop
    let key: UInt64
    var handler: (Interest) -> Void
    private(set) var isCancelled = false

    init(descriptor: Int32, loop: EventLoop, key: UInt64, handler: @escaping (Interest) -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.key = key
        self.handler = handler
    }

    public var interest: Interest = [] {
        didSet {
            guard interest != oldValue, !isCancelled else { return }
            loop.change(self, from: oldValue, to: interest)
        }
    }

    /// Stops watching. Must be called before the descriptor is closed; afterwards the handler is not called again.
    public func cancel() {
        guard !isCancelled else { return }
        interest = []
        isCancelled = true
        handler = { _ in }
        loop.forget(self)
    }
}
