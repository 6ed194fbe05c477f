/// A decimal number: digits, and how many of them are before the point. Digits beyond either end are 0.
struct DecimalDigits {
    let isNegative: Bool
    let digits: Digits
    /// May be negative: 1e-3 has its point two places before its digits.
    let whole: Int

    /// Digits before and behind the point that are written, at most.
    static let maximum = 400

    /// The digits with the point between them left out.
    struct Digits {
        let bytes: UnsafeRawBufferPointer
        /// The index of the point in `bytes`; their count if there is none.
        let point: Int

        var count: Int { point < bytes.count ? bytes.count - 1 : bytes.count }
        subscript(index: Int) -> UInt8 { bytes[index < point ? index : index + 1] &- UInt8(ascii: "0") }
    }

    /// Nil unless `text` is a number as JSON writes it, of a size that can be written. Leading zeros are allowed.
    init?(_ text: UnsafeRawBufferPointer) {
        guard NumberText.isNumber(text, allowsLeadingZeros: true) else { return nil }
        isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let mark = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.count
        let bytes = UnsafeRawBufferPointer(rebasing: text[start..<mark])
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
        var exponent = 0
        if mark < text.count {
            guard let value = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)), value.magnitude < 1_000 else {
                return nil
            }
            exponent = value
        }
        digits = Digits(bytes: bytes, point: point)
        whole = point + exponent
        guard whole <= Self.maximum, digits.count <= Self.maximum else { return nil }
    }

    /// The digit at a position left (0 and up) or right (below 0) of the point.
    func digit(_ position: Int) -> UInt8 {
        let index = whole - 1 - position
        return index >= 0 && index < digits.count ? digits[index] : 0
    }

    /// Decimals up to the last one that is not 0.
    var decimals: Int {
        var decimals = max(min(digits.count - whole, Self.maximum), 0)
        while decimals > 0, digit(-decimals) == 0 { decimals -= 1 }
        return decimals
    }

    private var isZero: Bool { (0..<digits.count).allSatisfy { digits[$0] == 0 } }

    /// Below, at or above 0. No digit is lost, however many there are.
    func order(_ other: DecimalDigits) -> Int {
        let sign = isZero ? 0 : isNegative ? -1 : 1
        let otherSign = other.isZero ? 0 : other.isNegative ? -1 : 1
        guard sign == otherSign, sign != 0 else { return sign - otherSign }
        let last = -max(digits.count - whole, other.digits.count - other.whole, 0)
        for position in stride(from: max(whole, other.whole, 1) - 1, through: last, by: -1) {
            let (mine, its) = (digit(position), other.digit(position))
            if mine != its { return mine < its ? -sign : sign }
        }
        return 0
    }

    /// The bytes that writing takes at most.
    var room: Int {
        // Each digit may have a mark before it, and there are a minus and a digit that a carry adds.
        (max(whole, 0) + Self.maximum + 2) * (1 + NumberSymbols.maximumMark)
    }

    func write(decimals: Int, _ symbols: NumberSymbols, into output: inout NumberOutput) {
        // The number is rounded up when the first digit that falls off is 5 or more; the carry ends at the first digit
        // that is no 9.
        let isRaised = digit(-decimals - 1) >= 5
        var carryEnd = -decimals
        while isRaised, digit(carryEnd) == 9 { carryEnd += 1 }
        func rounded(_ position: Int) -> UInt8 {
            guard isRaised, position <= carryEnd else { return digit(position) }
            return position == carryEnd ? digit(position) + 1 : 0
        }
        var first = max(whole - 1, isRaised ? carryEnd : 0, 0)
        while first > 0, rounded(first) == 0 { first -= 1 }
        if isNegative, (-decimals...first).contains(where: { rounded($0) != 0 }) { output.append(UInt8(ascii: "-")) }
        let isGrouped = first >= 2 + symbols.minimumBeforeGroup
        for position in stride(from: first, through: 0, by: -1) {
            output.append(UInt8(ascii: "0") + rounded(position))
            let endsGroup =
                symbols.isIndian && position > 3 ? (position - 3).isMultiple(of: 2) : position.isMultiple(of: 3)
            if isGrouped, position > 0, endsGroup { output.append(symbols.group.bytes) }
        }
        guard decimals > 0 else { return }
        output.append(symbols.decimal.bytes)
        for position in 1...decimals { output.append(UInt8(ascii: "0") + rounded(-position)) }
    }
}

/// Bytes one after the other in memory that is known to suffice.
struct NumberOutput {
    private let base: UnsafeMutableRawPointer
    private var count = 0

    init(_ base: UnsafeMutableRawPointer) {
        self.base = base
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    mutating func append(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        for byte in text { append(byte) }
    }
}
