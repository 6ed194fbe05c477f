import EventLoop

/// Limits the number of open progress streams.
final class RunProgress: Sendable {
    /// The maximum number of open streams in this process.
    static let maximumListeners = 200

    let reports: RunReports
    private let listeners = Lock(0)

    init(reports: RunReports) {
        self.reports = reports
    }

    /// The slot of one stream. It is released when the last reference to it is.
    final class Slot: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(_ release: @escaping @Sendable () -> Void) {
            self.release = release
        }

        deinit { release() }
    }

    /// Nil if all slots are in use.
    func acquireSlot() -> Slot? {
        let isFree = listeners.withLock { listeners in
            guard listeners < Self.maximumListeners else { return false }
            listeners += 1
            return true
        }
        return isFree ? Slot { [listeners] in listeners.withLock { $0 -= 1 } } : nil
    }
}
