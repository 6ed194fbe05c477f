import EventLoop

/// What reached Apple's side, for assertions: kept in flat tables, 32 bytes a push and 24 a token,
/// so that a million pushes fit. One record may serve several listeners.
public final class Record: Sendable {
    public struct Counts: Sendable, Equatable {
        public internal(set) var connects = 0
        /// The most connects in one minute of the monotonic clock.
        public internal(set) var connectsInAMinute = 0
        public internal(set) var openConnections = 0
        /// The most streams that one connection had open.
        public internal(set) var concurrentStreams = 0
        /// The most different provider tokens on one connection.
        public internal(set) var providerTokensOnAConnection = 0
        public internal(set) var requests = 0
        public internal(set) var accepted = 0
        /// Reasons that were decided on, sent or not.
        public internal(set) var refused: [String: Int] = [:]
        /// Requests that a fault kept from being processed or answered.
        public internal(set) var disturbed = 0
        /// Requests that repeat an id and token that came before, accepted or not.
        public internal(set) var repeatedIDs = 0
        /// Pairs of id and token that were accepted more than once.
        public internal(set) var acceptedTwice = 0
        /// Different device tokens.
        public internal(set) var tokens = 0
        /// Requests that ended without an answer, and how; the sender cannot know what became of them.
        public internal(set) var unanswered = Unanswered()
    }

    /// How requests that were processed ended without an answer.
    public struct Unanswered: Sendable, Equatable {
        /// The sender gave up, or went away.
        public internal(set) var abandoned = 0
        /// Reset by this side, other than with REFUSED_STREAM.
        public internal(set) var reset = 0
        /// Their connection was closed by this side.
        public internal(set) var cut = 0
        /// Connections that this side closed while requests were open: answers may have been lost with them too.
        public internal(set) var connectionsCut = 0
    }

    struct State {
        var counts = Counts()
        var flags = [Int](repeating: 0, count: Flags.bitCount)
        var pushes = PushTable()
        var activities = ActivityTable()
        var tokenNumbers = HashIndex()
        var tokens: [TokenRecord] = []
        var minute: Int64 = 0
        var connectsThisMinute = 0
        var waiters: [AcceptedWaiter] = []
    }

    private let state = Lock(State())

    public init() {}

    // MARK: Asking

    public var counts: Counts { state.withLock(\.counts) }

    /// Requests that had this one flag.
    public func count(of flag: Flags) -> Int {
        state.withLock { state in
            (0..<Flags.bitCount).reduce(0) { flag.rawValue >> UInt64($1) & 1 == 1 ? $0 + state.flags[$1] : $0 }
        }
    }

    /// All flags that were raised.
    public var flags: Flags {
        state.withLock { state in
            Flags(rawValue: (0..<Flags.bitCount).reduce(0) { state.flags[$1] > 0 ? $0 | 1 << UInt64($1) : $0 })
        }
    }

    public func token(_ token: some Collection<UInt8>) -> TokenRecord {
        let hash = Hash64.of(token)
        return state.withLock { state in state.tokenNumbers[hash].map { state.tokens[$0] } ?? TokenRecord() }
    }

    /// How often a push with this id was accepted, whatever its token.
    public func accepted(_ id: PushID) -> Int {
        state.withLock { $0.pushes.rows(of: id).reduce(0) { $0 + Int($1.accepted) } }
    }

    /// Up to `limit` pushes that were accepted more than once.
    public func acceptedTwice(limit: Int = 100) -> [RepeatedPush] {
        state.withLock { state in
            state.pushes.rows.lazy.filter { $0.accepted > 1 }.prefix(limit).map {
                RepeatedPush(id: $0.id, tokenHash: $0.tokenHash, accepted: Int($0.accepted))
            }
        }
    }

    /// Returns once so many pushes were accepted since the last reset, or the task is cancelled.
    public func waitUntilAccepted(_ count: Int) async {
        let waiter = AcceptedWaiter(threshold: count)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiter.wait(continuation)
                let isReached = state.withLock { state in
                    if state.counts.accepted < count { state.waiters.append(waiter) }
                    return state.counts.accepted >= count
                }
                if isReached { waiter.end() }
            }
        } onCancel: {
            waiter.end()
        }
        state.withLock { $0.waiters.removeAll { $0 === waiter } }
    }

    /// Forgets everything but the connections that are open.
    public func reset() {
        state.withLock { state in
            var fresh = State()
            fresh.counts.openConnections = state.counts.openConnections
            fresh.waiters = state.waiters
            state = fresh
        }
    }

    // MARK: Noting

    func connectionBegan(at time: MonotonicTime) {
        state.withLock { state in
            state.counts.connects += 1
            state.counts.openConnections += 1
            let minute = time.nanoseconds / 60_000_000_000
            if minute != state.minute { (state.minute, state.connectsThisMinute) = (minute, 0) }
            state.connectsThisMinute += 1
            state.counts.connectsInAMinute = max(state.counts.connectsInAMinute, state.connectsThisMinute)
        }
    }

    func connectionEnded() {
        state.withLock { $0.counts.openConnections -= 1 }
    }

    func note(_ change: (inout Unanswered) -> Void) {
        state.withLock { change(&$0.counts.unanswered) }
    }

    struct Request {
        var check: Check
        /// What the answer would be or is; nil when the push was never processed.
        var status: Int?
        var reason: String?
        var isAccepted: Bool
        var isDisturbed: Bool
        var openStreams: Int
        var providerTokens: Int
    }

    func note(_ request: Request) {
        let reached = state.withLock { state in
            state.note(request)
            return state.takeReachedWaiters()
        }
        for waiter in reached { waiter.end() }
    }
}

extension Record.State {
    fileprivate mutating func note(_ request: Record.Request) {
        counts.requests += 1
        if request.isAccepted { counts.accepted += 1 }
        if request.isDisturbed { counts.disturbed += 1 }
        if let reason = request.reason { counts.refused[reason, default: 0] += 1 }
        counts.concurrentStreams = max(counts.concurrentStreams, request.openStreams)
        counts.providerTokensOnAConnection = max(counts.providerTokensOnAConnection, request.providerTokens)
        var raised = request.check.flags
        if let hash = request.check.tokenHash { raised.formUnion(noteToken(hash, request)) }
        for bit in 0..<Flags.bitCount where raised.rawValue >> UInt64(bit) & 1 == 1 { flags[bit] += 1 }
    }

    private mutating func noteToken(_ hash: UInt64, _ request: Record.Request) -> Flags {
        let number = tokenNumbers[hash] ?? tokens.endIndex
        if number == tokens.endIndex {
            tokenNumbers.insert(hash, number)
            tokens.append(TokenRecord())
            counts.tokens += 1
        }
        tokens[number].requests += 1
        if request.isAccepted { tokens[number].accepted += 1 }
        tokens[number].lastStatus = UInt16(clamping: request.status ?? 0)

        var flags: Flags = []
        if request.isAccepted, let activity = request.check.activity {
            flags.formUnion(activities.note(activity, tokenHash: hash))
        }
        guard let id = request.check.id else { return flags }
        let (row, isOtherTokens) = pushes.note(
            id, tokenHash: hash, isAccepted: request.isAccepted, status: request.status ?? 0)
        if row.requests > 1 { counts.repeatedIDs += 1 }
        if request.isAccepted && row.accepted == 2 { counts.acceptedTwice += 1 }
        if isOtherTokens { flags.insert(.idOfAnotherToken) }
        return flags
    }

    fileprivate mutating func takeReachedWaiters() -> [AcceptedWaiter] {
        guard !waiters.isEmpty else { return [] }
        let reached = waiters.filter { $0.threshold <= counts.accepted }
        if !reached.isEmpty { waiters.removeAll { $0.threshold <= counts.accepted } }
        return reached
    }
}

/// Somebody who waits for a number of accepted pushes. Ends once, by them or by cancellation.
final class AcceptedWaiter: Sendable {
    private enum State {
        case idle, ended
        case waiting(UnsafeContinuation<Void, Never>)
    }

    let threshold: Int
    private let state = Lock(State.idle)

    init(threshold: Int) { self.threshold = threshold }

    func wait(_ continuation: UnsafeContinuation<Void, Never>) {
        let isEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isEnded { continuation.resume() }
    }

    func end() {
        let waiting = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .waiting(let continuation) = waiting { continuation.resume() }
    }
}
