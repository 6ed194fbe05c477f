import Campaigns
import EventLoop
import Store

/// Snapshots of runs for those who watch them: taken once for all listeners, and for a bounded number of them.
final class RunProgress: Sendable {
    /// Streams at a time in this process.
    static let maximumListeners = 200
    /// How old a snapshot may be; also the least time between two of one run.
    static let freshness = Duration.milliseconds(200)
    /// Runs whose snapshots are kept.
    static let maximumSnapshots = 64

    private struct Snapshot {
        let run: RunRecord
        let taken: MonotonicTime
    }

    private struct State {
        var listeners = 0
        var snapshots: [Run.ID: Snapshot] = [:]
    }

    let runs: RunStore
    private let state = Lock(State())

    init(runs: RunStore) {
        self.runs = runs
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
        let isFree = state.withLock { state in
            guard state.listeners < Self.maximumListeners else { return false }
            state.listeners += 1
            return true
        }
        return isFree ? Place { [state] in state.withLock { $0.listeners -= 1 } } : nil
    }

    func snapshot(_ id: Run.ID, app: App.ID) async throws -> RunRecord {
        let now = MonotonicTime.now()
        let known = state.withLock { $0.snapshots[id] }
        if let known, known.run.app == app, known.taken > now - Self.freshness { return known.run }
        let run = try await runs.find(id, app: app)
        state.withLock { state in
            if state.snapshots.count >= Self.maximumSnapshots {
                state.snapshots = state.snapshots.filter { $0.value.taken > now - Self.freshness }
            }
            if state.snapshots.count < Self.maximumSnapshots {
                state.snapshots[id] = Snapshot(run: run, taken: now)
            }
        }
        return run
    }
}

/// Recipients per second, over the last few seconds.
struct RateMeter {
    static let window = Duration.seconds(3)

    private var samples: [(time: MonotonicTime, done: Int)] = []

    mutating func rate(done: Int, at time: MonotonicTime) -> Int {
        samples.append((time, done))
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
        let span = (time - samples[0].time).seconds
        return span > 0 ? Int(Double(done - samples[0].done) / span) : 0
    }
}
