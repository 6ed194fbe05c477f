import EventLoop

/// How many connections there are, in all and from each address.
struct ConnectionCounts {
    enum Verdict: Equatable { case admitted, turnedAway, dropped }

    /// Those who are told that there is no room; more are dropped without a word.
    static let maximumTurnedAway = 64

    private let maximum: Int
    private let maximumPerAddress: Int
    private var total = 0
    private var turnedAway = 0
    private var byAddress: [String: Int] = [:]

    init(maximum: Int, maximumPerAddress: Int) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
    }

    /// `address` is nil for unix sockets, whose clients cannot be told apart.
    mutating func add(_ address: String?) -> Verdict {
        let fromAddress = address.map { byAddress[$0, default: 0] } ?? 0
        guard total < maximum, fromAddress < maximumPerAddress else {
            guard turnedAway < Self.maximumTurnedAway else { return .dropped }
            turnedAway += 1
            return .turnedAway
        }
        total += 1
        if let address { byAddress[address] = fromAddress + 1 }
        return .admitted
    }

    mutating func remove(_ address: String?, _ verdict: Verdict) {
        switch verdict {
        case .dropped: break
        case .turnedAway: turnedAway -= 1
        case .admitted:
            total -= 1
            guard let address, let count = byAddress[address] else { return }
            byAddress[address] = count > 1 ? count - 1 : nil
        }
    }
}
