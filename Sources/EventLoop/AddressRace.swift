/// Decides in which order the addresses of a host are tried, and when (Happy Eyeballs, RFC 8305 §4 and §5). A value
/// type: `Socket.connect(with:)` carries out its actions.
///
/// The first address that connects wins, and the others are given up. If the winner turns out not to work, for example
/// because TLS fails, the race goes on with the addresses that have not failed.
///
/// Docs/decisions/apple.md explains why addresses race.
public struct AddressRace: Sendable {
    /// The recommended Connection Attempt Delay (RFC 8305 §5): after it, another address is tried beside the earlier
    /// ones.
    public static let attemptDelay = Duration.milliseconds(250)

    enum Action: Equatable {
        /// Begin to connect to this address, then ask again.
        case start(Int)
        /// Ask again when an attempt has ended, or at this time if there is one.
        case wait(until: MonotonicTime?)
        /// All addresses have failed.
        case end
    }

    public let addresses: [SocketAddress]
    /// Addresses that are not tried yet, in order.
    private var waiting: [Int]
    /// Attempts that have not ended, in the order in which they began.
    private var running: [Int] = []
    /// When the next address is tried even though no attempt has ended.
    private var nextStart: MonotonicTime?

    /// Tries the addresses in this order.
    init(inOrder addresses: [SocketAddress]) {
        self.addresses = addresses
        waiting = Array(addresses.indices)
    }

    /// Tries the addresses of a host, as the resolver returned them: the families take turns, and the resolver's first
    /// family begins (RFC 8305 §4). Within a family the order is random, so that connections spread over all addresses.
    public init(_ addresses: [SocketAddress]) {
        let first = addresses.first?.family
        let preferred = addresses.filter { $0.family == first }.shuffled()
        let others = addresses.filter { $0.family != first }.shuffled()
        var order: [SocketAddress] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { order.append(preferred[index]) }
            if index < others.count { order.append(others[index]) }
        }
        self.init(inOrder: order)
    }

    mutating func next(at now: MonotonicTime) -> Action {
        guard let first = waiting.first else { return running.isEmpty ? .end : .wait(until: nil) }
        if let nextStart, now < nextStart { return .wait(until: nextStart) }
        waiting.removeFirst()
        running.append(first)
        nextStart = now + Self.attemptDelay
        return .start(first)
    }

    /// The attempt has failed, or the winner does not work. If no later attempt runs, the next address need not wait.
    public mutating func failed(_ index: Int) {
        if running.isEmpty || running.last == index { nextStart = nil }
        running.removeAll { $0 == index }
    }

    /// The attempt has won. Those that still run are given up; they have been slow, so they come last if the race goes
    /// on.
    mutating func connected(_ index: Int) {
        waiting.append(contentsOf: running.filter { $0 != index })
        running.removeAll()
        nextStart = nil
    }
}
