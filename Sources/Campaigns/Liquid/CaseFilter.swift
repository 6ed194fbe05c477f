/// `upcase`, `downcase` and `capitalize`, with Unicode's full mappings (SpecialCasing.txt without its languages): ß
/// becomes SS, and a sigma at a word's end ς.
enum CaseFilter {
    case upper, lower
    /// The first character in title case, the others in lower case.
    case capitalized

    /// No mapping makes a text longer than this times its bytes: ΐ, two bytes, has six in upper case.
    private static let maximumExpansion = 3

    func apply(to value: LiquidValue, _ scratch: ScratchBuffer) -> LiquidValue {
        let source = value.bytes
        guard let bytes = source.baseAddress else { return value }
        let output = scratch.reserve(source.count &* Self.maximumExpansion)
        var written = 0
        var index = 0
        var wasLetter = false
        while index < source.count {
            let byte = source[index]
            if byte < 0x80 {
                output.storeBytes(of: ascii(byte, isFirst: index == 0), toByteOffset: written, as: UInt8.self)
                wasLetter = Self.isLetter(byte)
                written &+= 1
                index &+= 1
                continue
            }
            let length = UTF8Text.sequenceLength(bytes + index, source.count &- index)
            // Bytes that are not UTF-8 stay, to be replaced when they are written.
            let scalar = length == 0 ? nil : UTF8Text.scalar(bytes + index, length)
            let isFirst = index == 0
            let end = index &+ max(length, 1)
            if let scalar, Self.mayHaveCase(scalar) {
                let mapped = map(scalar, isFirst: isFirst) { wasLetter && !Self.hasLetter(source, at: end) }
                for unit in mapped.utf8 {
                    output.storeBytes(of: unit, toByteOffset: written, as: UInt8.self)
                    written &+= 1
                }
                wasLetter = scalar.properties.isCased || (wasLetter && scalar.properties.isCaseIgnorable)
            } else {
                (output + written).copyMemory(from: bytes + index, byteCount: end &- index)
                written &+= end &- index
                wasLetter = false
            }
            index = end
        }
        return LiquidValue(.text, UnsafeRawBufferPointer(start: output, count: written))
    }

    @inline(__always)
    private func ascii(_ byte: UInt8, isFirst: Bool) -> UInt8 {
        guard Self.isLetter(byte) else { return byte }
        let isUpper =
            switch self {
            case .upper: true
            case .lower: false
            case .capitalized: isFirst
            }
        return isUpper ? byte & ~0x20 : byte | 0x20
    }

    private func map(_ scalar: Unicode.Scalar, isFirst: Bool, _ endsWord: () -> Bool) -> String {
        switch self {
        case .upper: return scalar.properties.uppercaseMapping
        case .capitalized where isFirst: return scalar.properties.titlecaseMapping
        case .lower, .capitalized:
            if scalar == "Σ", endsWord() { return "ς" }
            return scalar.properties.lowercaseMapping
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a") <= byte | 0x20 && byte | 0x20 <= UInt8(ascii: "z")
    }

    /// Han, kana, hangul and most of what lies around them have no case.
    private static func mayHaveCase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2E80..<0xA640, 0xAC00..<0xFB00, 0x1F000...0x10FFFF: false
        default: true
        }
    }

    /// Whether a letter follows, past what a word may hold in between.
    private static func hasLetter(_ source: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard let bytes = source.baseAddress else { return false }
        var index = start
        while index < source.count {
            let length = source[index] < 0x80 ? 1 : UTF8Text.sequenceLength(bytes + index, source.count - index)
            guard length > 0 else { return false }
            let properties = UTF8Text.scalar(bytes + index, length).properties
            if properties.isCaseIgnorable {
                index += length
            } else {
                return properties.isCased
            }
        }
        return false
    }
}
