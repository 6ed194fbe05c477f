import JSON

/// A value of a row of an exported file.
enum TableValue {
    case absent
    case text(String)
    case json([UInt8])
    case flag(Bool)
    case number(Int)
    /// The digits of a decimal number, which both formats have as they are.
    case decimal(String)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .absent
    }

    init(_ texts: [String]) {
        self = .json(JSON.texts(texts).encoded())
    }
}

/// Writes rows as lines of CSV (RFC 4180) or NDJSON.
struct TableWriter: Sendable {
    /// Spreadsheets read a CSV file as UTF-8 only if it begins with this mark.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The usual size of a row, in bytes.
    private static let usualSize = 256

    let format: FileFormat
    private let columns: [String]
    /// Whether CSV fields are safe to open in a spreadsheet, see `SpreadsheetText`.
    private let isSafe: Bool

    init(_ format: FileFormat, columns: [String], isSafe: Bool = true) {
        self.format = format
        self.columns = columns
        self.isSafe = isSafe
    }

    /// The beginning of the file: of CSV, the line with the names of the columns.
    var header: [UInt8] {
        guard format == .csv else { return [] }
        return (isSafe ? Self.mark : []) + Array((columns.joined(separator: ",") + "\r\n").utf8)
    }

    /// Each row has a value for each column.
    func write(_ rows: [[TableValue]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualSize * rows.count)
        for row in rows {
            switch format {
            case .csv: writeRecord(row, into: &bytes)
            case .ndjson: bytes = writeObject(row, behind: bytes)
            }
        }
        return bytes
    }

    private func writeRecord(_ row: [TableValue], into bytes: inout [UInt8]) {
        for (index, value) in row.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch value {
            case .absent: break
            case .text(let text):
                let isMarked = SpreadsheetText.isFormula(text.utf8) && (isSafe || text.hasPrefix("'"))
                bytes.appendField((isMarked ? "'" + text : text).utf8)
            case .json(let json): bytes.appendField(json)
            case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
            case .number(let number): bytes.append(contentsOf: number.description.utf8)
            case .decimal(let digits): bytes.append(contentsOf: digits.utf8)
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private func writeObject(_ row: [TableValue], behind bytes: consuming [UInt8]) -> [UInt8] {
        var object = JSONObjectWriter(behind: bytes)
        for (column, value) in zip(columns, row) {
            switch value {
            case .absent: break
            case .text(let text): object.text(column, text)
            case .decimal(let digits): object.raw(column, digits.utf8)
            case .json(let json): object.raw(column, json)
            case .flag(let flag): object.flag(column, flag)
            case .number(let number): object.raw(column, number.description.utf8)
            }
        }
        var bytes = object.finish()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

extension [UInt8] {
    /// Appends a CSV field, with quotes if it needs them (RFC 4180 §2).
    fileprivate mutating func appendField(_ field: some Collection<UInt8>) {
        let needsQuotes = field.contains {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D
        }
        guard needsQuotes else { return append(contentsOf: field) }
        append(UInt8(ascii: "\""))
        for byte in field {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }
}
