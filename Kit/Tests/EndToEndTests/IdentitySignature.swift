import Foundation

/// The signature of a user id, which the app's own server makes: HMAC-SHA-256 in hexadecimal, RFC 2104 and FIPS 180-4.
enum IdentitySignature {
    static func of(_ user: String, key: String) -> String {
        var block = Array(key.utf8)
        if block.count > 64 { block = digest(block) }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = digest(block.map { $0 ^ 0x36 } + Array(user.utf8))
        return digest(block.map { $0 ^ 0x5c } + inner).map { String(format: "%02x", $0) }.joined()
    }

    /// The constants are the first 32 bits of the fractions of roots of primes, which a Double holds exactly.
    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let rounds = primes.map { fraction(cbrt(Double($0))) }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static func digest(_ message: [UInt8]) -> [UInt8] {
        var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        bytes += withUnsafeBytes(of: UInt64(message.count * 8).bigEndian, Array.init)
        for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[start..<(start + 64)], &state) }
        return state.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
    }

    private static func mix(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        func rotated(_ word: UInt32, _ bits: [UInt32]) -> UInt32 {
            bits.reduce(0) { $0 ^ (word >> $1 | word << (32 - $1)) }
        }
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<(index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            words.append(
                words[index - 16] &+ words[index - 7] &+ (rotated(early, [7, 18]) ^ early >> 3)
                    &+ (rotated(late, [17, 19]) ^ late >> 10))
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let first = h &+ rotated(e, [6, 11, 25]) &+ (e & f ^ ~e & g) &+ rounds[index] &+ words[index]
            let second = rotated(a, [2, 13, 22]) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
