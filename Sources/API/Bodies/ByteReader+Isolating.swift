import JSON

/// Reading lists whose elements are stored one by one: an element that is not JSON fails alone.
extension ByteReader {
    /// Calls `read` for the next value. Returns why it is not JSON, and is behind it then; nil if it is. Throws if its
    /// end is uncertain, because what follows can't be told from it.
    mutating func isolated(_ read: (inout ByteReader) throws(Malformed) -> Void) throws(Malformed) -> Malformed? {
        let (start, outside) = (position, depth)
        do throws(Malformed) {
            try read(&self)
            return nil
        } catch {
            position = start
            depth = outside
            hasNUL = false
            guard skipDamaged() else { throw error }
            guard isRepaired, error.offset < bytes.count, bytes[error.offset] == Self.invalidByte else { return error }
            return Malformed(offset: error.offset, message: Self.invalidText)
        }
    }

    /// Stands for bytes that are not UTF-8: no JSON may contain it, so exactly the values with such bytes are refused.
    static let invalidByte: UInt8 = 1
    static let invalidText = "the text is not valid UTF-8"

    /// A copy with `invalidByte` in place of what is not UTF-8.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var copy = bytes
        var start = 0
        while start < copy.count {
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: bytes.span.extracting(start..<bytes.count))
                break
            } catch {
                let fault = start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
                for offset in fault { copy[offset] = invalidByte }
                start = fault.upperBound
            }
        }
        return copy
    }

    /// Skips a value by its quotes and brackets alone. False if they don't match, or if two values have nothing between
    /// them: then a quote is probably missing, and a text would end somewhere else.
    private mutating func skipDamaged() -> Bool {
        var closing: [UInt8] = []
        var isAfterValue = false
        repeat {
            guard let byte = peek() else { return false }
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard !closing.isEmpty else { return false }
                isAfterValue = false
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closing.popLast() == byte else { return false }
                isAfterValue = true
                position += 1
            default:
                guard !isAfterValue else { return false }
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    closing.append(byte + 2)
                    position += 1
                } else {
                    guard byte == UInt8(ascii: "\"") ? skipDamagedText() : skipWord() else { return false }
                    isAfterValue = true
                }
            }
        } while !closing.isEmpty
        return true
    }

    private mutating func skipDamagedText() -> Bool {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        return position <= bytes.count
    }

    /// Skips what is neither a text nor punctuation, such as NaN.
    private mutating func skipWord() -> Bool {
        while let byte = next, byte > 0x20, !"{}[],:\"".utf8.contains(byte) { position += 1 }
        return true
    }
}
