/// Parses records of separated values (RFC 4180) incrementally. A value: it accepts pieces of any size, and the records
/// don't depend on how a file is divided into pieces.
///
/// Lines end with CRLF, LF or CR. Blank lines are skipped, and so are the lines of empty fields that spreadsheets write
/// below a table. Spaces around a quoted field don't belong to it. A quote inside a field that does not begin with one
/// is an ordinary character.
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
        /// There is text between a closing quote and the separator.
        case textAfterQuote
        /// The file ended inside quotes.
        case openQuote
    }

    private enum State {
        case start
        /// After spaces at the beginning of a field: a quote may follow.
        case leadingSpace
        case plain
        case quoted
        /// After a quote inside quotes: a second quote makes it a character; anything else makes it the closing quote.
        case quoteInQuoted
        case afterQuoted
    }

    private let separator: UInt8
    private var state = State.start
    /// The bytes of the fields so far, and the end of each field.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var fault: Fault?
    /// Whether a quote was read. A field in quotes is a value even if it is empty.
    private var hasQuote = false
    /// Whether the last byte was a carriage return that ended a line: a line feed then belongs to the same end.
    private var hasReturn = false
    private var line: Int
    private var firstLine: Int

    /// `line` is the number of the first line.
    init(separator: UInt8 = UInt8(ascii: ","), line: Int = 1) {
        self.separator = separator
        self.line = line
        firstLine = line
    }

    /// Appends the records that these bytes complete.
    mutating func feed(_ piece: some Sequence<UInt8>, into records: inout [Record]) {
        for byte in piece { take(byte, &records) }
    }

    /// Ends the file: appends the record after the last line end.
    mutating func finish(into records: inout [Record]) {
        if state == .quoted { fault = fault ?? .openQuote }
        endRecord(&records)
    }

    private mutating func take(_ byte: UInt8, _ records: inout [Record]) {
        let endsReturn = hasReturn && byte == UInt8(ascii: "\n")
        hasReturn = false
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, _):
            if byte == UInt8(ascii: "\n") { line += 1 }
            append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            state = .quoted
            append(byte)
        case (.start, UInt8(ascii: "\"")), (.leadingSpace, UInt8(ascii: "\"")):
            bytes.removeLast(bytes.count - (ends.last ?? 0))
            state = .quoted
            hasQuote = true
        case (_, separator): endField()
        case (_, UInt8(ascii: "\n")):
            if !endsReturn { endLine(&records) }
        case (_, UInt8(ascii: "\r")):
            hasReturn = true
            endLine(&records)
        case (.quoteInQuoted, UInt8(ascii: " ")), (.afterQuoted, UInt8(ascii: " ")): state = .afterQuoted
        case (.start, UInt8(ascii: " ")), (.leadingSpace, UInt8(ascii: " ")):
            append(byte)
            state = .leadingSpace
        case (_, _): append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        switch state {
        case .start, .leadingSpace: state = .plain
        case .quoteInQuoted, .afterQuoted:
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

    private mutating func endLine(_ records: inout [Record]) {
        line += 1
        endRecord(&records)
    }

    private mutating func endRecord(_ records: inout [Record]) {
        let isEmpty = !hasQuote && fault == nil && bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
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
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        fault = nil
        hasQuote = false
        firstLine = line
    }
}
