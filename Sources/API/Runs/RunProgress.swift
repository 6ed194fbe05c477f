import Campaigns
import EventLoop
import Store

/// Limits the number of open progress streams.
final class RunProgress: Sendable {
    /// The maximum number of open streams in this process.
    static let maximumListeners = 200
    /// Of them, the streams of one person or API key: a page has one, and a person several pages.
    static let maximumOfCaller = 10

    /// Whoever has streams. All keys of a person are the person's.
    enum Holder: Hashable, Sendable {
        case person(User.ID)
        case key(APIKey.ID)
    }

    let reports: RunReports
    private let listeners = Lock<[Holder: Int]>([:])

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

    enum Answer {
        case slot(Slot)
        /// The caller has all of theirs.
        case callerHasTooMany
        /// All slots are in use.
        case full
    }

    func acquireSlot(for holder: Holder) -> Answer {
        listeners.withLock { open in
            guard open[holder, default: 0] < Self.maximumOfCaller else { return .callerHasTooMany }
            guard open.values.reduce(0, +) < Self.maximumListeners else { return .full }
            open[holder, default: 0] += 1
            return .slot(Slot { [listeners] in listeners.withLock { $0.remove(holder) } })
        }
    }
}

extension [RunProgress.Holder: Int] {
    fileprivate mutating func remove(_ holder: RunProgress.Holder) {
        guard let count = self[holder] else { return }
        self[holder] = count > 1 ? count - 1 : nil
    }
}
