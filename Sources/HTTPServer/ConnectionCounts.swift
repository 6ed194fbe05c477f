import EventLoop

/// Counts the connections, in total and per client network.
struct ConnectionCounts {
    enum Verdict: Equatable { case admitted, rejected, dropped }

    /// The maximum number of connections answered with 503 at a time. Further ones are closed without an answer.
    static let maximumRejected = 64

    private let maximum: Int
    private let maximumPerAddress: Int
    /// Admitted connections that are open.
    private(set) var total = 0
    /// Connections that were not admitted, since the start.
    private(set) var refusals = 0
    private var rejected = 0
    private var byAddress: [IPAddress: Int] = [:]

    init(maximum: Int, maximumPerAddress: Int) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
    }

    /// Counts a new connection. `address` is nil if it is only counted in total.
    mutating func add(_ address: IPAddress?) -> Verdict {
        let fromAddress = address.map { byAddress[$0, default: 0] } ?? 0
        guard total < maximum, fromAddress < maximumPerAddress else {
            refusals += 1
            guard rejected < Self.maximumRejected else { return .dropped }
            rejected += 1
            return .rejected
        }
        total += 1
        if let address { byAddress[address] = fromAddress + 1 }
        return .admitted
    }

    /// Connections were refused before they were counted.
    mutating func refused(_ count: Int) { refusals += count }

    mutating func remove(_ address: IPAddress?, _ verdict: Verdict) {
        switch verdict {
        case .dropped: break
        case .rejected: rejected -= 1
        case .admitted:
            total -= 1
            guard let address, let count = byAddress[address] else { return }
            byAddress[address] = count > 1 ? count - 1 : nil
        }
    }
}
