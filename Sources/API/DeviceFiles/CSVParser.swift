/// Parses records of comma-separated values (RFC 4180) incrementally. A value: it accepts pieces of any size, and the
/// records don't depend on how a file is divided into pieces.
///
/// Lines end with CRLF or LF. A byte order mark and empty lines are skipped. A quote inside a field that does not begin
/// with one is an ordinary character.
struct CSVParser {
    /// The maximum size of a record's fields, in bytes. Without it, an unclosed quote would read the rest of the file.
    static let maximumRecordSize = 64 * 1024
    static let maximumFields = 300

    struct Record: Equatable {
        /// The number of its first line, from 1. A quoted field can contain line breaks.
        let line: Int
        let fields: [ArraySlice<UInt8>]
        let fault: Fault?
    }

    enum Fault: Equatable {
        case tooLong
        case tooManyFields
        /// There is text between a closing quote and the comma.
        case textAfterQuote
        /// The file ended inside quotes.
        case openQuote
    }

    private enum State {
        case start
        case plain
        case quoted
        /// After a quote inside quotes: a second quote makes it a character; anything else makes it the closing quote.
        case quoteInQuoted
    }

    private var state = State.start
    /// The bytes of the fields so far, and the end of each field.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var fault: Fault?
    /// Whether a carriage return outside quotes was read: a line end if a line feed follows, else a character.
    private var hasReturn = false
    private var line = 1
    private var firstLine = 1
    private var mark = ByteOrderMark()

    /// Appends the records that these bytes complete.
    mutating func feed(_ piece: some Sequence<UInt8>, into records: inout [Record]) {
        for byte in piece {
            if mark.isPending {
                switch mark.take(byte) {
                case .held: continue
                case .pass(let before): for byte in before { take(byte, &records) }
                }
            } else {
                take(byte, &records)
            }
        }
    }

    /// Ends the file: appends the record after the last line feed.
    mutating func finish(into records: inout [Record]) {
        for byte in mark.finish() { take(byte, &records) }
        if state == .quoted { fault = fault ?? .openQuote }
        hasReturn = false
        endRecord(&records)
    }

    private mutating func take(_ byte: UInt8, _ records: inout [Record]) {
        if hasReturn {
            hasReturn = false
            if byte != UInt8(ascii: "\n") { append(UInt8(ascii: "\r")) }
        }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _):
            if byte == UInt8(ascii: "\n") { line += 1 }
            append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            state = .quoted
            append(byte)
        case (.start, UInt8(ascii: "\"")): state = .quoted
        case (_, UInt8(ascii: ",")): endField()
        case (_, UInt8(ascii: "\n")):
            line += 1
            endRecord(&records)
        case (_, UInt8(ascii: "\r")): hasReturn = true
        case (_, _): append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        switch state {
        case .start: state = .plain
        case .quoteInQuoted:
            fault = fault ?? .textAfterQuote
            state = .plain
        case .plain, .quoted: break
        }
        guard bytes.count < Self.maximumRecordSize else { return fault = fault ?? .tooLong }
        bytes.append(byte)
    }

    private mutating func endField() {
        if ends.count < Self.maximumFields { ends.append(bytes.count) } else { fault = fault ?? .tooManyFields }
        state = .start
    }

    private mutating func endRecord(_ records: inout [Record]) {
        let isEmpty = state == .start && ends.isEmpty
        endField()
        if !isEmpty {
            var fields: [ArraySlice<UInt8>] = []
            fields.reserveCapacity(ends.count)
            var start = 0
            for end in ends {
                fields.append(bytes[start..<end])
                start = end
            }
            records.append(Record(line: firstLine, fields: fault == nil ? fields : [], fault: fault))
            let size = bytes.count
            bytes = []
            // The next record probably has a similar size.
            bytes.reserveCapacity(min(size + 64, Self.maximumRecordSize))
        }
        ends.removeAll(keepingCapacity: true)
        fault = nil
        firstLine = line
    }
}

/// Removes a byte order mark: three bytes that some programs write before UTF-8 text.
struct ByteOrderMark {
    enum Step {
        case held
        /// There is no mark: these bytes are text.
        case pass([UInt8])
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private var count = 0
    private(set) var isPending = true

    mutating func take(_ byte: UInt8) -> Step {
        if byte == Self.mark[count] {
            count += 1
            if count == Self.mark.count { isPending = false }
            return .held
        }
        isPending = false
        return .pass(Self.mark[..<count] + [byte])
    }

    /// The bytes that were held back when the file ended.
    mutating func finish() -> [UInt8] {
        defer { isPending = false }
        return isPending ? Array(Self.mark[..<count]) : []
    }
}
