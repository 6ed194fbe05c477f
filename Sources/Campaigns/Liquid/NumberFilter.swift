/// `number` and `as_number`: a number, or a text that is a number, which counts by its value and not by its spelling.
enum NumberFilter {
    /// Formatted for the recipient's locale. Halves are rounded away from zero. A value that is not a number is
    /// unchanged.
    static func apply(
        to value: LiquidValue, decimals: Int?, symbols: NumberSymbols, _ scratch: ScratchBuffer
    ) -> LiquidValue {
        guard value.kind == .number || value.kind == .text, NumberText.isJSON(value.bytes),
            let number = DecimalDigits(value.bytes)
        else { return value }
        let own = max(number.digits.count - number.whole, 0)
        var output = NumberOutput(scratch.reserve(number.room))
        number.write(decimals: min(decimals ?? own, DecimalDigits.maximum), symbols, into: &output)
        return LiquidValue(.text, output.bytes)
    }

    /// As a JSON number: 3 for 3.0, 3e0 and "003". Nil for anything else, and with `isCount` for what is no whole
    /// number from 0, which Apple requires of a badge.
    static func plain(_ value: LiquidValue, isCount: Bool, _ scratch: ScratchBuffer) -> UnsafeRawBufferPointer? {
        guard value.kind == .number || value.kind == .text, let number = DecimalDigits(value.bytes) else { return nil }
        let decimals = number.decimals
        var output = NumberOutput(scratch.reserve(number.room))
        number.write(decimals: decimals, .plain, into: &output)
        let bytes = output.bytes
        guard isCount else { return bytes }
        let isWhole = decimals == 0 && bytes.count <= maximumCountDigits && bytes.first != UInt8(ascii: "-")
        return isWhole ? bytes : nil
    }

    /// Every such number fits into 64 bits.
    private static let maximumCountDigits = 18
}
