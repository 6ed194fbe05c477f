import EventLoop

/// Limits the recipients of this process that are unresolved: the database says that they may have been sent to, and
/// has no outcome for them. If the process is lost, it is unknown for them whether Apple got their pushes; there are
/// never more of them than `maximum`.
///
/// Each batch takes room before it declares recipients, and returns it when their outcomes are stored.
///
/// Campaigns leave room for transactional pushes, and large campaigns leave some for batches that have nothing on the
/// wire. So nobody waits for the stragglers of another campaign.
///
/// Docs/decisions/sending.md explains why the bound is one number per process.
public final class UnresolvedBudget: Sendable {
    /// The smallest and largest `maximum`.
    public static let limits = 4_000...16_000

    /// Batches that have nothing on the wire get this much even if other batches have taken what is left for all.
    static let smallWindow = 64

    private struct State {
        var campaigns = 0
        var transactional = 0
        /// Those who have nothing on the wire and wait for room.
        var waiting: [WakeUpSignal] = []
    }

    let maximum: Int
    private let state = Lock(State())

    public init(_ maximum: Int) {
        self.maximum = maximum
    }

    /// The share of campaigns.
    public static func maximumOfCampaigns(of maximum: Int) -> Int { maximum / 4 * 3 }

    private var maximumOfCampaigns: Int { Self.maximumOfCampaigns(of: maximum) }
    /// Room for small windows, for about 30 batches if `maximum` is the largest.
    private var reserved: Int { maximumOfCampaigns / 6 }

    // MARK: Campaigns

    /// The window that `take` is asked for.
    enum Purpose {
        /// The batch has another window on the wire. It can wait for others.
        case next
        /// The batch has nothing on the wire.
        case first
        /// The same, and it has waited in vain.
        case overdue
    }

    /// Takes room for this many recipients; false if there is not enough.
    func take(_ count: Int, for purpose: Purpose) -> Bool {
        state.withLock { state in
            guard purpose != .next || state.waiting.isEmpty,
                state.campaigns + count <= maximumOfCampaigns - (purpose == .overdue ? 0 : reserved),
                state.campaigns + state.transactional + count <= maximum
            else { return false }
            state.campaigns += count
            return true
        }
    }

    func giveBack(_ count: Int) {
        if count > 0 { wake { $0.campaigns -= count } }
    }

    // MARK: Transactional pushes

    func takeForPushes(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.campaigns + state.transactional + count <= maximum else { return false }
            state.transactional += count
            return true
        }
    }

    func giveBackPushes(_ count: Int) {
        wake { $0.transactional -= count }
    }

    /// Whether no transactional push can be taken now.
    var isFull: Bool { state.withLock { $0.campaigns + $0.transactional >= maximum } }

    // MARK: Waiting

    private func wake(after change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return state.waiting
        }
        for signal in waiting { signal.call() }
    }

    /// Calls the signal whenever room is returned, until `endWaiting`. Meanwhile no batch gets room for its next
    /// window.
    func beginWaiting(_ signal: WakeUpSignal) { state.withLock { $0.waiting.append(signal) } }

    func endWaiting(_ signal: WakeUpSignal) { state.withLock { $0.waiting.removeAll { $0 === signal } } }
}
