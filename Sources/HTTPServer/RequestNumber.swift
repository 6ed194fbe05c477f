import EventLoop

/// Request numbers that are distinct across requests and processes, without random bytes for each.
enum RequestNumber {
    private static let counter = Lock(UInt64.random(in: .min ... .max))

    static func next() -> UInt64 {
        counter.withLock { counter in
            counter &+= 1
            return counter
        }
    }

    /// Formats a number as 16 hexadecimal digits.
    static func text(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: digitCount) { write(number, into: $0) }
    }

    static func append(_ number: UInt64, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digitCount) { digits in
            output.append(contentsOf: digits[..<write(number, into: digits)])
        }
    }

    private static let digitCount = 16

    /// Writes the digits of the mixed number (the finalizer of splitmix64), so that consecutive numbers look different.
    private static func write(_ number: UInt64, into digits: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        for index in 0..<digitCount {
            let digit = UInt8(truncatingIfNeeded: mixed >> UInt64(60 - 4 * index)) & 0xF
            digits[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        return digitCount
    }
}
