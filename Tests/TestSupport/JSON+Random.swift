public import JSON

extension JSON {
    /// A random value, at most `depth` deep, whose strings contain difficult characters.
    public static func random(depth: Int, using generator: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .number(Number(Int(truncatingIfNeeded: generator.next())))
        case 3: .number(Number(floatLiteral: Double.random(in: -1e9...1e9, using: &generator)))
        case 4, 5: .string(randomText(using: &generator))
        case 6:
            .array(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    random(depth: depth - 1, using: &generator)
                })
        default:
            .object(
                (0..<Int.random(in: 0...5, using: &generator)).map { index in
                    Member("\(index)" + randomText(using: &generator), random(depth: depth - 1, using: &generator))
                })
        }
    }

    public static func randomText(using generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let range = [UInt32(0)...0x7F, 0x00...0x22, 0x7F...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF]
                .randomElement(using: &generator)!
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }
}
