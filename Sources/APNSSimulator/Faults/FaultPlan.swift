/// Decides for each request which fault applies. The same seed and the same order of requests give the same
/// decisions.
struct FaultPlan {
    struct Decision: Equatable {
        var fault: Fault?
        var delay = Duration.zero
    }

    private(set) var faults: Faults
    private var counts: [Int]
    private var generator: SeededGenerator

    init(_ faults: Faults = .none, seed: UInt64) {
        self.faults = faults
        counts = Array(repeating: 0, count: faults.rules.count)
        generator = SeededGenerator(seed: seed)
    }

    /// Replaces the rules. All counts restart at zero.
    mutating func exchange(_ faults: Faults) {
        self.faults = faults
        counts = Array(repeating: 0, count: faults.rules.count)
    }

    mutating func connectionBegan() -> Fault? {
        for index in faults.rules.indices where faults.rules[index].fault.isOfConnection {
            if applies(index) { return faults.rules[index].fault }
        }
        return nil
    }

    mutating func requestCame(tokenHash: UInt64?) -> Decision {
        var decision = Decision()
        for (index, rule) in faults.rules.enumerated() where !rule.fault.isOfConnection && rule.isFor(tokenHash) {
            if case .delay(let by, let jitter) = rule.fault {
                if applies(index) { decision.delay += by + jitter * Double.random(in: 0..<1, using: &generator) }
            } else if decision.fault == nil, applies(index) {
                decision.fault = rule.fault
            }
        }
        return decision
    }

    private mutating func applies(_ index: Int) -> Bool {
        counts[index] += 1
        return switch faults.rules[index].condition {
        case .always: true
        case .rate(let rate): Double.random(in: 0..<1, using: &generator) < rate
        case .first(let count): counts[index] <= count
        case .nth(let number): counts[index] == number
        case .every(let period): counts[index].isMultiple(of: period)
        case .range(let numbers): numbers.contains(counts[index])
        }
    }
}

extension Faults.Rule {
    fileprivate func isFor(_ tokenHash: UInt64?) -> Bool {
        switch scope {
        case .everyone: true
        case .hashes(let hashes): tokenHash.map(hashes.contains) ?? false
        }
    }
}
