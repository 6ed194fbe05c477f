/// Splits bytes into lines incrementally, for NDJSON. A value: it accepts pieces of any size, and the lines don't
/// depend on how a file is divided into pieces.
///
/// Lines end with CRLF, LF or CR. Blank lines are skipped.
struct LineParser {
    /// In bytes; the rest of a longer line is dropped.
    static let maximumLineSize = 32 * 1024

    struct Line: Equatable {
        /// From 1.
        let number: Int
        /// Nil if the line is too long.
        let bytes: [UInt8]?
    }

    private var bytes: [UInt8] = []
    private var isTooLong = false
    private var isBlank = true
    private var hasReturn = false
    private var number = 1

    /// Appends the lines that these bytes complete.
    mutating func feed(_ piece: some Sequence<UInt8>, into lines: inout [Line]) {
        for byte in piece { take(byte, &lines) }
    }

    /// Ends the file: appends the line after the last line end.
    mutating func finish(into lines: inout [Line]) {
        endLine(&lines)
    }

    private mutating func take(_ byte: UInt8, _ lines: inout [Line]) {
        let endsReturn = hasReturn && byte == UInt8(ascii: "\n")
        hasReturn = byte == UInt8(ascii: "\r")
        if endsReturn { return }
        guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { return endLine(&lines) }
        if !Self.isBlank(byte) { isBlank = false }
        if bytes.count < Self.maximumLineSize { bytes.append(byte) } else { isTooLong = true }
    }

    /// Spaces and tabs, and what old programs write at the end of a file: Ctrl-Z and NUL.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x1A || byte == 0 }

    private mutating func endLine(_ lines: inout [Line]) {
        if !isBlank {
            let size = bytes.count
            lines.append(Line(number: number, bytes: isTooLong ? nil : bytes))
            bytes = []
            bytes.reserveCapacity(min(size + 64, Self.maximumLineSize))
        }
        bytes.removeAll(keepingCapacity: true)
        isTooLong = false
        isBlank = true
        number += 1
    }
}
