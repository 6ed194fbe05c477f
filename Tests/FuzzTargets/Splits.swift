/// Ways to divide an input into the pieces that a socket or a file may deliver.
enum Splits {
    /// The largest piece of an uneven split, in bytes.
    private static let longestPiece = 40

    /// Byte by byte, in halves, and in pieces of uneven sizes that depend on the input only, so that an input always
    /// gives the same result.
    static func all(_ input: [UInt8]) -> [[ArraySlice<UInt8>]] {
        let half = input.count / 2
        return [input.indices.map { input[$0...$0] }, [input[..<half], input[half...]], uneven(input)]
    }

    private static func uneven(_ input: [UInt8]) -> [ArraySlice<UInt8>] {
        // FNV-1a, and then a linear congruential generator.
        var state = input.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = input[...]
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let piece = rest.prefix(1 + Int(state >> 33) % longestPiece)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
