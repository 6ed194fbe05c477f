/// A point that is drawn for a person by a hash, and its digits in base 1,000, each of which decides something else.
///
/// PostgreSQL's `hashtextextended(unit COLLATE "C", salt) & 9223372036854775807` is the same, so that the planner can
/// draw in SQL. It is Jenkins' lookup3, with PostgreSQL's seed.
public struct UnitPoint: Hashable, Sendable {
    /// The decisions, by the place of their digit from the right.
    public enum Decision: Int, Sendable {
        /// The global holdout and, with another salt, the variant.
        case group = 0
        /// Whether a person belongs to the first phase.
        case phase = 1
        /// The control group of the campaign.
        case control = 2
        /// The share that keeps the best time honest.
        case honesty = 3
        /// The hour of that share.
        case hour = 4
    }

    /// At least 0.
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    /// The unit is `u` and a user ID, or without one `i` and an installation, in UTF-8.
    public init(unit: String, salt: Int64) {
        var unit = unit
        value = unit.withUTF8 { Int64(Lookup3.hash($0, seed: UInt64(bitPattern: salt)) & 0x7fff_ffff_ffff_ffff) }
    }

    /// From 0 to 999.
    public subscript(decision: Decision) -> Int {
        var rest = value
        for _ in 0..<decision.rawValue { rest /= 1_000 }
        return Int(rest % 1_000)
    }
}

/// Bob Jenkins' lookup3 as PostgreSQL's `hash_bytes_extended` computes it on a machine with little-endian words.
private struct Lookup3 {
    var (a, b, c): (UInt32, UInt32, UInt32)

    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
        let start = 0x9e37_79b9 &+ UInt32(truncatingIfNeeded: bytes.count) &+ 3_923_095
        var state = Lookup3(a: start, b: start, c: start)
        if seed != 0 {
            state.a &+= UInt32(truncatingIfNeeded: seed >> 32)
            state.b &+= UInt32(truncatingIfNeeded: seed)
            state.mix()
        }
        var rest = bytes[...]
        while rest.count >= 12 {
            state.add(rest.prefix(12))
            state.mix()
            rest = rest.dropFirst(12)
        }
        state.addLast(rest)
        state.finish()
        return UInt64(state.b) << 32 | UInt64(state.c)
    }

    private mutating func add(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        a &+= Self.word(bytes.prefix(4))
        b &+= Self.word(bytes.dropFirst(4).prefix(4))
        c &+= Self.word(bytes.dropFirst(8))
    }

    /// Up to 11 bytes. The lowest byte of `c` belongs to the length.
    private mutating func addLast(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        a &+= Self.word(bytes.prefix(4))
        b &+= Self.word(bytes.dropFirst(4).prefix(4))
        c &+= Self.word(bytes.dropFirst(8)) << 8
    }

    private static func word(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func mix() {
        (a, c) = ((a &- c) ^ c.rotated(4), c &+ b)
        (b, a) = ((b &- a) ^ a.rotated(6), a &+ c)
        (c, b) = ((c &- b) ^ b.rotated(8), b &+ a)
        (a, c) = ((a &- c) ^ c.rotated(16), c &+ b)
        (b, a) = ((b &- a) ^ a.rotated(19), a &+ c)
        (c, b) = ((c &- b) ^ b.rotated(4), b &+ a)
    }

    private mutating func finish() {
        c = (c ^ b) &- b.rotated(14)
        a = (a ^ c) &- c.rotated(11)
        b = (b ^ a) &- a.rotated(25)
        c = (c ^ b) &- b.rotated(16)
        a = (a ^ c) &- c.rotated(4)
        b = (b ^ a) &- a.rotated(14)
        c = (c ^ b) &- b.rotated(24)
    }
}

extension UInt32 {
    /// To the left.
    fileprivate func rotated(_ bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
