/// Splits bytes into lines incrementally, for NDJSON. A value: it accepts pieces of any size, and the lines don't
/// depend on how a file is divided into pieces.
///
/// Lines end with LF; JSON treats a CR before it as white space. A byte order mark and blank lines are skipped.
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
    private var number = 1
    private var mark = ByteOrderMark()

    /// Appends the lines that these bytes complete.
    mutating func feed(_ piece: some Sequence<UInt8>, into lines: inout [Line]) {
        for byte in piece {
            if mark.isPending {
                switch mark.take(byte) {
                case .held: continue
                case .pass(let before): for byte in before { take(byte, &lines) }
                }
            } else {
                take(byte, &lines)
            }
        }
    }

    /// Ends the file: appends the line after the last line feed.
    mutating func finish(into lines: inout [Line]) {
        for byte in mark.finish() { take(byte, &lines) }
        endLine(&lines)
    }

    private mutating func take(_ byte: UInt8, _ lines: inout [Line]) {
        guard byte != UInt8(ascii: "\n") else { return endLine(&lines) }
        if byte != 0x20 && byte != 0x09 && byte != 0x0D { isBlank = false }
        if bytes.count < Self.maximumLineSize { bytes.append(byte) } else { isTooLong = true }
    }

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
