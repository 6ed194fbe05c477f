/// Parses records of separated values (RFC 4180) incrementally. A value: it accepts pieces of any size, and the records
/// don't depend on how a file is divided into pieces.
///
/// Lines end with CRLF, LF or CR. Blank lines are skipped, and so are the lines of empty fields that spreadsheets write
/// below a table. Spaces around a quoted field don't belong to it. A quote inside a field that does not begin with one
/// is an ordinary character.
///
/// A stray quote must not cost the lines up to the next one: a record that goes over several lines and is faulty, or has
/// other fields than the header, is read again line by line.
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
    /// The bytes of the record as they came, up to a limit.
    private var raw: [UInt8] = []
    private static let maximumRaw = 4 * maximumRecordSize
    /// Whether a quoted field of the record has a line end.
    private var spansLines = false
    /// Whether lines of a faulty record are being read again: a line end then also ends quotes.
    private var isSingleLine = false
    /// The number of fields of the first record.
    private var width: Int?

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
        if state == .quoted || isSwallowing { fault = fault ?? .openQuote }
        if isToReadAgain { readAgain(&records, isWhole: true) }
        if state == .quoted { fault = fault ?? .openQuote }
        endRecord(&records)
    }

    private mutating func take(_ byte: UInt8, _ records: inout [Record]) {
        let endsReturn = hasReturn && byte == UInt8(ascii: "\n")
        hasReturn = false
        if endsReturn { return }
        if raw.count < Self.maximumRaw { raw.append(byte) }
        parse(byte, &records)
        if isToReadAgain { readAgain(&records) }
    }

    private mutating func parse(_ byte: UInt8, _ records: inout [Record]) {
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoted, UInt8(ascii: "\n")), (.quoted, UInt8(ascii: "\r")):
            if isSingleLine {
                fault = fault ?? .openQuote
                hasReturn = byte == UInt8(ascii: "\r")
                return endLine(&records)
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            spansLines = true
            append(byte)
        case (.quoted, _): append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            state = .quoted
            append(byte)
        case (.start, UInt8(ascii: "\"")), (.leadingSpace, UInt8(ascii: "\"")):
            bytes.removeLast(bytes.count - (ends.last ?? 0))
            state = .quoted
            hasQuote = true
        case (_, separator): endField()
        case (_, UInt8(ascii: "\n")): endLine(&records)
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
        if isSwallowing { return fault = fault ?? .openQuote }
        line += 1
        endRecord(&records)
    }

    private mutating func endRecord(_ records: inout [Record]) {
        let isEmpty = !hasQuote && fault == nil && bytes.allSatisfy(ObjectSplitter.isBlank)
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
            if width == nil, fault == nil { width = fields.count }
            let size = bytes.count
            bytes = []
            // The next record probably has a similar size.
            bytes.reserveCapacity(min(size + 64, Self.maximumRecordSize))
        }
        beginRecord()
    }

    private mutating func beginRecord() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        raw.removeAll(keepingCapacity: true)
        fault = nil
        hasQuote = false
        spansLines = false
        firstLine = line
    }

    // MARK: Stray quotes

    private var isToReadAgain: Bool { fault != nil && spansLines && raw.count < Self.maximumRaw }

    /// Reads the lines of the record again, without quotes that go over line ends. What follows the last line end may
    /// begin a sound record. So each byte is read at most three times.
    private mutating func readAgain(_ records: inout [Record], isWhole: Bool = false) {
        let again = raw
        let end = isWhole ? again.endIndex : again.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        line = firstLine
        beginRecord()
        state = .start
        hasReturn = false
        isSingleLine = true
        for byte in again[..<end] { take(byte, &records) }
        isSingleLine = false
        for byte in again[end...] { take(byte, &records) }
    }

    /// Whether the record, which is complete, seems to have read other lines between two stray quotes: it has other fields
    /// than the header, or each of its lines alone has as many.
    private var isSwallowing: Bool {
        guard spansLines, let width else { return false }
        let count = ends.count + 1
        if count < width || count > width && bytes.count > ends[width - 1] { return true }
        let lines = raw.split { $0 == 0x0A || $0 == 0x0D }
        let inner = lines.dropFirst().dropLast()
        // Text with one comma in each line is not rare.
        guard width > 1, inner.count >= (width > 2 ? 1 : 3) else { return false }
        return inner.allSatisfy { !$0.contains(UInt8(ascii: "\"")) }
            && lines.allSatisfy { line in line.count { $0 == separator } == width - 1 }
    }
}
