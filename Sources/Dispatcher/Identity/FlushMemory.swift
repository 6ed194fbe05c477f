import Campaigns
import EventLoop
import Store

/// The flushes that were confirmed to this process and that its last beat does not cover, and the last one of each
/// batch that it holds. If the database lacks one of them, it was restored.
final class FlushMemory: Sendable {
    private struct Entry {
        var flush: ConfirmedFlush
        var isHeld: Bool
        /// The beat before which it was confirmed.
        var beat: Int
    }

    private let state = Lock<(entries: [Batch.ID: Entry], beat: Int)>(([:], 1))

    var flushes: [ConfirmedFlush] { state.withLock { $0.entries.values.map(\.flush) } }

    func confirmed(_ flush: ConfirmedFlush, isHeld: Bool) {
        state.withLock { $0.entries[flush.batch] = Entry(flush: flush, isHeld: isHeld, beat: $0.beat) }
    }

    /// The process no longer holds the batch. Its last flush is forgotten with the next beat: the batch may be lost
    /// because the database was restored.
    func ended(_ batch: Batch.ID) {
        state.withLock { state in
            state.entries[batch]?.isHeld = false
            state.entries[batch]?.beat = state.beat
        }
    }

    /// A beat is about to be written: it covers what was confirmed until now. Returns its number.
    func beginBeat() -> Int {
        state.withLock { state in
            state.beat += 1
            return state.beat
        }
    }

    func confirmedBeat(_ beat: Int) {
        state.withLock { $0.entries = $0.entries.filter { $1.isHeld || $1.beat >= beat } }
    }

    /// Another generation begins: what was confirmed before may be missing.
    func forget() { state.withLock { $0.entries = [:] } }
}
