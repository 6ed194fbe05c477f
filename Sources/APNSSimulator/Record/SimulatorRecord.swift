import EventLoop

/// The requests that reached the simulator, for assertions. They are stored in flat tables, with 32 bytes per push and
/// 24 per token, so that a million pushes fit. Several listeners may share one record.
public final class Record: Sendable {
    public struct Counts: Sendable, Equatable {
        public internal(set) var connects = 0
        /// The maximum number of connects in one minute of the monotonic clock.
        public internal(set) var connectsInAMinute = 0
        public internal(set) var openConnections = 0
        /// The maximum number of streams open on one connection.
        public internal(set) var concurrentStreams = 0
        /// The maximum number of different provider tokens on one connection.
        public internal(set) var providerTokensOnAConnection = 0
        public internal(set) var requests = 0
        public internal(set) var accepted = 0
        /// The number of rejections by reason, sent or not.
        public internal(set) var refused: [String: Int] = [:]
        /// Requests to which a fault applied.
        public internal(set) var faulted = 0
        /// Requests that repeat an earlier id and token, accepted or not.
        public internal(set) var repeatedIDs = 0
        /// Pairs of id and token that were accepted more than once.
        public internal(set) var acceptedTwice = 0
        /// Different device tokens.
        public internal(set) var tokens = 0
        /// Requests that ended without a response. The sender cannot know their outcome.
        public internal(set) var unanswered = Unanswered()
    }

    /// Processed requests without a response, by cause.
    public struct Unanswered: Sendable, Equatable {
        /// The sender cancelled the stream or closed the connection.
        public internal(set) var abandoned = 0
        /// The simulator reset the stream, with a code other than REFUSED_STREAM.
        public internal(set) var reset = 0
        /// The simulator closed the connection.
        public internal(set) var connectionClosed = 0
        /// Connections that the simulator closed with open streams. Responses may have been lost with them.
        public internal(set) var connectionsCut = 0
    }

    struct State {
        var counts = Counts()
        var flags = [Int](repeating: 0, count: PushWarnings.bitCount)
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

    // MARK: Reading

    public var counts: Counts { state.withLock(\.counts) }

    /// The number of requests with this flag.
    public func count(of flag: PushWarnings) -> Int {
        state.withLock { state in
            (0..<PushWarnings.bitCount).reduce(0) { flag.rawValue >> UInt64($1) & 1 == 1 ? $0 + state.flags[$1] : $0 }
        }
    }

    /// All flags that any request had.
    public var flags: PushWarnings {
        state.withLock { state in
            let bits = (0..<PushWarnings.bitCount).filter { state.flags[$0] > 0 }
            return PushWarnings(rawValue: bits.reduce(0) { $0 | 1 << UInt64($1) })
        }
    }

    public func token(_ token: some Collection<UInt8>) -> TokenRecord {
        let hash = Hash64.of(token)
        return state.withLock { state in state.tokenNumbers[hash].map { state.tokens[$0] } ?? TokenRecord() }
    }

    /// The number of times that a push with this id was accepted, for any token.
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

    /// Returns when `count` pushes have been accepted since the last reset, or when the task is cancelled.
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

    /// Clears everything except the number of open connections and the waiters.
    public func reset() {
        state.withLock { state in
            var fresh = State()
            fresh.counts.openConnections = state.counts.openConnections
            fresh.waiters = state.waiters
            state = fresh
        }
    }

    // MARK: Writing

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
        var check: RequestCheck
        /// The status of the response, sent or not; nil if the push was not processed.
        var status: Int?
        var reason: String?
        var isAccepted: Bool
        var hasFault: Bool
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
        if request.hasFault { counts.faulted += 1 }
        if let reason = request.reason { counts.refused[reason, default: 0] += 1 }
        counts.concurrentStreams = max(counts.concurrentStreams, request.openStreams)
        counts.providerTokensOnAConnection = max(counts.providerTokensOnAConnection, request.providerTokens)
        var raised = request.check.flags
        if let hash = request.check.tokenHash { raised.formUnion(noteToken(hash, request)) }
        for bit in 0..<PushWarnings.bitCount where raised.rawValue >> UInt64(bit) & 1 == 1 { flags[bit] += 1 }
    }

    private mutating func noteToken(_ hash: UInt64, _ request: Record.Request) -> PushWarnings {
        let number = tokenNumbers[hash] ?? tokens.endIndex
        if number == tokens.endIndex {
            tokenNumbers.insert(hash, number)
            tokens.append(TokenRecord())
            counts.tokens += 1
        }
        tokens[number].requests += 1
        if request.isAccepted { tokens[number].accepted += 1 }
        tokens[number].lastStatus = UInt16(clamping: request.status ?? 0)

        var flags: PushWarnings = []
        if request.isAccepted, let activity = request.check.activity {
            flags.formUnion(activities.note(activity, tokenHash: hash))
        }
        guard let id = request.check.id else { return flags }
        let (row, isOtherTokens) = pushes.note(
            id, tokenHash: hash, isAccepted: request.isAccepted, status: request.status ?? 0)
        if row.requests > 1 { counts.repeatedIDs += 1 }
        if request.isAccepted && row.accepted == 2 { counts.acceptedTwice += 1 }
        if isOtherTokens { flags.insert(.idReusedForAnotherToken) }
        return flags
    }

    fileprivate mutating func takeReachedWaiters() -> [AcceptedWaiter] {
        guard !waiters.isEmpty else { return [] }
        let reached = waiters.filter { $0.threshold <= counts.accepted }
        if !reached.isEmpty { waiters.removeAll { $0.threshold <= counts.accepted } }
        return reached
    }
}

/// A task that waits for a number of accepted pushes. The wait ends once, when they are reached or by cancellation.
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
