import JSON

/// Splits bytes into JSON objects incrementally. A value: it accepts pieces of any size, and the objects don't depend on
/// how a file is divided into pieces.
///
/// The objects may each have a line (NDJSON), go over several lines, or be the elements of a list. Text between them is
/// a record, too, so that it is refused with its line.
///
/// A damaged object must not cost those after it. It ends where a line begins with an object that can't be its value, and
/// its own lines that are whole objects are records.
struct ObjectSplitter {
    /// Of an object, in bytes without the spaces at the beginning of its lines.
    static let maximumSize = 32 * 1024

    struct Record: Equatable {
        /// The numbers of its first and its last line, from 1. Several objects on a line count as lines of their own, so
        /// that each can be found.
        let line: Int
        let lastLine: Int
        /// Nil if it is too long.
        let bytes: [UInt8]?
    }

    private enum State {
        case between
        case object
        case string
        /// After a backslash in a string.
        case escape
        /// After the object, on its last line.
        case after
        /// Text that is no object, up to the end of the line.
        case junk
        /// The rest of a damaged object, up to a line that begins with an object.
        case skipping
    }

    private var state = State.between
    private var bytes: [UInt8] = []
    private var isTooLong = false
    private var line = 1
    private var firstLine = 1
    private var hasReturn = false
    /// Whether a record has begun on the line.
    private var hasRecord = false
    /// Whether the line has had nothing but spaces.
    private var isLineStart = true
    /// The brackets that are open, and the number of those beyond JSON's greatest depth.
    private var open: [UInt8] = []
    private var surplus = 0
    /// The last byte of the object that is no space.
    private var last: UInt8 = 0

    /// Appends the records that these bytes complete.
    mutating func feed(_ piece: some Sequence<UInt8>, into records: inout [Record]) {
        for byte in piece { take(byte, &records) }
    }

    /// Ends the file: appends the record that has not ended.
    mutating func finish(into records: inout [Record]) {
        switch state {
        case .between, .skipping: break
        case .after, .junk: emit(&records)
        case .object, .string, .escape: giveUp(&records)
        }
    }

    private mutating func take(_ byte: UInt8, _ records: inout [Record]) {
        let endsReturn = hasReturn && byte == UInt8(ascii: "\n")
        hasReturn = byte == UInt8(ascii: "\r")
        if endsReturn { return }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return endLine(&records) }
        let isFirst = isLineStart
        if !Self.isBlank(byte) { isLineStart = false }
        switch state {
        case .between: takeBetween(byte)
        case .object: takeInObject(byte, isFirst: isFirst, &records)
        case .string:
            append(byte)
            if byte == UInt8(ascii: "\\") { state = .escape }
            if byte == UInt8(ascii: "\"") { state = .object }
        case .escape:
            append(byte)
            state = .string
        case .after:
            if Self.isBlank(byte) { return }
            guard Self.isBetween(byte) || byte == UInt8(ascii: "{") else {
                // What follows an object on its line may be half of it.
                state = .junk
                return append(byte)
            }
            emit(&records)
            takeBetween(byte)
        case .junk:
            guard byte == UInt8(ascii: "{") else { return append(byte) }
            emit(&records)
            takeBetween(byte)
        case .skipping:
            if isFirst, byte == UInt8(ascii: "{") { takeBetween(byte) }
            if Self.isBetween(byte) { isLineStart = isFirst }
        }
        if isTooLong, firstLine < line, state == .object || state == .string { giveUp(&records) }
    }

    /// Spaces and tabs, and what old programs write at the end of a file: Ctrl-Z and NUL.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x1A || byte == 0 }

    /// The signs of a list around objects, and the record separator of RFC 7464.
    private static func isBetween(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == 0x1E
    }

    private mutating func takeBetween(_ byte: UInt8) {
        if Self.isBlank(byte) || Self.isBetween(byte) { return state = .between }
        begin()
        append(byte)
        state = .junk
        guard byte == UInt8(ascii: "{") else { return }
        state = .object
        open.append(byte)
        last = byte
    }

    private mutating func takeInObject(_ byte: UInt8, isFirst: Bool, _ records: inout [Record]) {
        if byte == UInt8(ascii: "{"), isFirst, firstLine < line, !canBeginValue {
            giveUp(&records)
            return takeBetween(byte)
        }
        if isFirst, Self.isBlank(byte) { return }
        append(byte)
        if Self.isBlank(byte) { return }
        last = byte
        switch byte {
        case UInt8(ascii: "\""): state = .string
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if open.count < JSON.maximumDepth { open.append(byte) } else { surplus += 1 }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if surplus > 0 { surplus -= 1 } else { open.removeLast() }
            if open.isEmpty { state = .after }
        default: break
        }
    }

    /// Whether a value may follow what the object has so far.
    private var canBeginValue: Bool {
        open.last == UInt8(ascii: "{")
            ? last == UInt8(ascii: ":") : last == UInt8(ascii: "[") || last == UInt8(ascii: ",")
    }

    private mutating func endLine(_ records: inout [Record]) {
        switch state {
        case .between, .skipping: break
        case .after, .junk: emit(&records)
        case .object: if isTooLong { giveUp(&records) } else { append(UInt8(ascii: "\n")) }
        // A string has no line ends.
        case .string, .escape: giveUp(&records)
        }
        line += 1
        isLineStart = true
        hasRecord = false
    }

    private mutating func append(_ byte: UInt8) {
        guard bytes.count < Self.maximumSize else { return isTooLong = true }
        bytes.append(byte)
    }

    private mutating func begin() {
        let size = bytes.count
        bytes = []
        // The next object probably has a similar size.
        bytes.reserveCapacity(min(size + 64, Self.maximumSize))
        isTooLong = false
        open.removeAll(keepingCapacity: true)
        surplus = 0
        if hasRecord { line += 1 }
        hasRecord = true
        firstLine = line
    }

    private mutating func emit(_ records: inout [Record], lastLine: Int? = nil) {
        records.append(Record(line: firstLine, lastLine: lastLine ?? line, bytes: isTooLong ? nil : bytes))
        state = .between
    }

    // MARK: Damaged objects

    /// Ends an object before its end. The lines that it has swallowed are read by themselves.
    private mutating func giveUp(_ records: inout [Record]) {
        let lineEnd = UInt8(ascii: "\n")
        while bytes.last == lineEnd { bytes.removeLast() }
        let (first, lines) = (firstLine, bytes.split(separator: lineEnd, omittingEmptySubsequences: false))
        emit(&records, lastLine: isTooLong ? line : first + lines.count - 1)
        guard first < line else { return }
        state = .skipping
        for (index, text) in lines.enumerated().dropFirst() {
            let object = text.last == UInt8(ascii: ",") ? text.dropLast() : text
            if object.first == UInt8(ascii: "{"), DeviceLineWriter.isJSON(object) {
                records.append(Record(line: first + index, lastLine: first + index, bytes: Array(object)))
            }
        }
    }
}
