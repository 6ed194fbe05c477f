import JSON

/// Reading lists whose elements are stored one by one: an element that is not JSON fails alone.
extension ByteReader {
    /// Calls `read` for the next value. Returns why it is not JSON, and is behind it then; nil if it is. Throws if its
    /// end is uncertain, because what follows can't be told from it.
    ///
    /// `marks` are members that the elements of a list have: an object with one of them is the next element.
    mutating func isolated(
        marks: Set<String> = [], _ read: (inout ByteReader) throws(Malformed) -> Void
    ) throws(Malformed) -> Malformed? {
        let (start, outside) = (position, depth)
        do throws(Malformed) {
            try read(&self)
            return nil
        } catch {
            position = start
            depth = outside
            hasNUL = false
            guard skipDamagedElement(marks) else { throw error }
            guard isRepaired, error.offset < bytes.count, bytes[error.offset] == Self.invalidByte else { return error }
            return Malformed(offset: error.offset, message: Self.invalidText)
        }
    }

    /// Stands for bytes that are not UTF-8: no JSON may contain it, so exactly the values with such bytes are refused.
    static let invalidByte: UInt8 = 1
    static let invalidText: Message = "the text is not valid UTF-8"

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

    /// Moves to the end of a damaged element. False if it is uncertain.
    private mutating func skipDamagedElement(_ marks: Set<String>) -> Bool {
        let start = position
        // Two commas, or one before the end of the list, have an element without anything between them.
        if isAtEndOfElement { return true }
        if skipDamaged(), isAtEndOfElement { return true }
        position = start
        let next = marks.isEmpty ? nil : endBeforeNextElement(marks)
        position = start
        let isClosed = skipDamaged(isLoose: true) && isAtEndOfElement
        switch (isClosed, next) {
        case (false, nil): return false
        case (true, nil): return true
        case (true, let next?) where position <= next: return true
        case (_, let next?):
            position = next
            return true
        }
    }

    private var isAtEndOfElement: Bool {
        mutating get { peek().map { ",]}".utf8.contains($0) } ?? true }
    }

    /// The objects that are tried as the next element. In most bodies the first one is it.
    private static let maximumCandidates = 20

    /// The comma before the next object that is JSON, is followed by another element or the end of the list, and has one
    /// of the members `marks`. A text can't contain one, because its quotes have backslashes there.
    private mutating func endBeforeNextElement(_ marks: Set<String>) -> Int? {
        var comma: Int?
        var tried = 0
        var index = position + 1
        while index < bytes.count, tried < Self.maximumCandidates {
            defer { index += 1 }
            switch bytes[index] {
            case UInt8(ascii: ","): comma = index
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "{"):
                guard let end = comma else { break }
                tried += 1
                if isElement(at: index, marks) { return end }
                comma = nil
            default: comma = nil
            }
        }
        return nil
    }

    private func isElement(at index: Int, _ marks: Set<String>) -> Bool {
        var reader = self
        reader.position = index
        var isMarked = false
        do throws(Malformed) {
            try reader.members { reader, key throws(Malformed) in
                if marks.contains(key) { isMarked = true }
                try reader.skip()
            }
        } catch {
            return false
        }
        return isMarked && reader.isAtEndOfElement
    }

    /// Skips a value by its quotes and brackets alone. False if they don't match. Unless `isLoose`, also if two values
    /// have nothing between them: then a quote is probably missing, and a text would end somewhere else.
    private mutating func skipDamaged(isLoose: Bool = false) -> Bool {
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
                guard isLoose || !isAfterValue else { return false }
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    closing.append(byte + 2)
                    position += 1
                } else {
                    guard byte == UInt8(ascii: "\"") ? skipDamagedText() : skipWord() else { return false }
                    isAfterValue = true
                }
            }
        } while !closing.isEmpty || isLoose && !isAtEndOfElement
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
        // At least one byte: it may be a control character.
        repeat { position += 1 } while next.map { $0 > 0x20 && !"{}[],:\"".utf8.contains($0) } ?? false
        return true
    }
}
