import EventLoop

/// Numbers that differ between requests and between processes, without drawing random bytes for each.
enum RequestNumber {
    private static let counter = Lock(UInt64.random(in: .min ... .max))

    static func next() -> UInt64 {
        counter.withLock { counter in
            counter &+= 1
            return counter
        }
    }

    /// Mixed (the finalizer of splitmix64), so that neighbours do not look alike.
    static func text(_ number: UInt64) -> String {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        let digits = String(mixed, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
