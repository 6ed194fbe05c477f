import HTTPServer

/// The encoding of a device file. Spreadsheets save all of these.
enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// It can't be told from other encodings with one byte per character, so a person has to name it.
    case windows1252 = "windows-1252"

    /// The number of bytes that `detect` needs, unless the file is shorter.
    static let detectionSize = 4

    /// The encoding of a file that begins with these bytes, and the size of its byte order mark.
    ///
    /// Without a mark, UTF-16 is recognised by the empty half of its first two characters: files begin with a name of
    /// ASCII letters, a brace or a quote.
    static func detect(_ start: some Collection<UInt8>) -> (encoding: TextEncoding, markSize: Int) {
        let bytes = Array(start.prefix(detectionSize))
        if bytes.starts(with: utf8.mark) { return (.utf8, utf8.mark.count) }
        for encoding in [utf16LittleEndian, utf16BigEndian] where bytes.starts(with: encoding.mark) {
            return (encoding, encoding.mark.count)
        }
        guard bytes.count == detectionSize else { return (.utf8, 0) }
        switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
        case (false, true, false, true): return (.utf16LittleEndian, 0)
        case (true, false, true, false): return (.utf16BigEndian, 0)
        default: return (.utf8, 0)
        }
    }

    /// The byte order mark that programs write before a text.
    var mark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .windows1252: []
        }
    }
}

/// Files of programs that are no text files, by their first bytes.
enum UnreadableFile {
    private static let kinds: [(start: [UInt8], message: String)] = [
        (
            Array("PK\u{3}\u{4}".utf8),
            "The file is an Excel workbook or a ZIP archive. Save the sheet as CSV (in Excel: CSV UTF-8), or unpack the "
                + "archive."
        ),
        ([0xD0, 0xCF, 0x11, 0xE0], "The file is an old Excel workbook. Save the sheet as CSV."),
        (
            [0x1F, 0x8B],
            "The file is compressed with gzip. Unpack it, or send it with the field Content-Encoding: gzip."
        ),
        (Array("%PDF".utf8), "The file is a PDF. Import a CSV or NDJSON file."),
    ]

    static func refusal(of start: some Collection<UInt8>) -> APIError? {
        kinds.first { start.starts(with: $0.start) }.map { .badRequest("not-a-text-file", $0.message) }
    }
}
