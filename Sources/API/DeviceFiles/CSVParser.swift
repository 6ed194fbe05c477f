/// Records of comma-separated values (RFC 4180) from bytes as they come. A value: it is fed pieces of any size, and the
/// records are the same for any way a file is cut.
///
/// Lines end with CRLF or LF. A byte order mark is left out, and so are empty lines. A quote inside a field that does
/// not begin with one stands for itself.
struct CSVParser {
    /// Bytes of a record's fields. A quote that is never closed would otherwise take the rest of the file.
    static let maximumRecordSize = 64 * 1024
    static let maximumFields = 300

    struct Record: Equatable {
        /// The line it begins in, from 1. A quoted field may hold more of them.
        let line: Int
        let fields: [ArraySlice<UInt8>]
        let fault: Fault?
    }

    enum Fault: Equatable {
        case tooLong
        case tooManyFields
        /// Something stands between a closing quote and the comma.
        case textBehindQuote
        /// The file ended inside quotes.
        case openQuote
    }

    private enum State {
        case start
        case plain
        case quoted
        /// Behind a quote inside quotes: another one makes it a character, and anything else has it close.
        case quoteInQuoted
    }

    private var state = State.start
    /// The fields so far, one after the other, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var fault: Fault?
    /// Outside quotes: the end of the line if a line feed follows, else a character.
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

    /// The file ends: appends what stands behind its last line feed.
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
            fault = fault ?? .textBehindQuote
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
            // The next one is likely to be as long.
            bytes.reserveCapacity(min(size + 64, Self.maximumRecordSize))
        }
        ends.removeAll(keepingCapacity: true)
        fault = nil
        firstLine = line
    }
}

/// The three bytes with which some programs begin a file of UTF-8, which are no part of its text.
struct ByteOrderMark {
    enum Step {
        case held
        /// It is no mark: these bytes come first.
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

    /// What was held when the file ended.
    mutating func finish() -> [UInt8] {
        defer { isPending = false }
        return isPending ? Array(Self.mark[..<count]) : []
    }
}
