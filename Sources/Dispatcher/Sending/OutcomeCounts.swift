import Campaigns

/// The recipients of a batch counted by the code of their outcome.
struct OutcomeCounts: Equatable {
    private var codes = [Int](repeating: 0, count: OutcomeCode.limit)
    /// Recipients who were sent to again. Of a deferred recipient the other batch counts it.
    private(set) var resent = 0

    init() {}

    init(_ outcomes: [UInt8]) {
        for byte in outcomes {
            codes[Int(byte & ~OutcomeByte.resentBit)] += 1
            resent += byte & ~OutcomeByte.resentBit == OutcomeCode.deferred ? 0 : Int(byte >> 7)
        }
    }

    subscript(code: UInt8) -> Int {
        get { codes[Int(code)] }
        set { codes[Int(code)] = newValue }
    }

    /// `kinds` gives each code's kind.
    func ledger(kinds: [OutcomeKind]) -> Ledger {
        var ledger = Ledger()
        for (code, count) in codes.enumerated() where count > 0 { ledger[kinds[code]] += count }
        ledger.resent = resent
        return ledger
    }
}
