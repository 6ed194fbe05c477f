import EventLoop

/// Those who watch runs, of whom there may be a bounded number.
final class RunProgress: Sendable {
    /// Streams at a time in this process.
    static let maximumListeners = 200

    let reports: RunReports
    private let listeners = Lock(0)

    init(reports: RunReports) {
        self.reports = reports
    }

    /// One listener's place, free again when nobody holds it.
    final class Place: Sendable {
        private let release: @Sendable () -> Void

        fileprivate init(_ release: @escaping @Sendable () -> Void) {
            self.release = release
        }

        deinit { release() }
    }

    /// Nil when all places are taken.
    func takePlace() -> Place? {
        let isFree = listeners.withLock { listeners in
            guard listeners < Self.maximumListeners else { return false }
            listeners += 1
            return true
        }
        return isFree ? Place { [listeners] in listeners.withLock { $0 -= 1 } } : nil
    }
}
