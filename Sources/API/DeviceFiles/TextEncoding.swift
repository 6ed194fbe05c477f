import HTTPServer

/// The encoding of a device file. Spreadsheets save all of these.
enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// It can't be told from other encodings with one byte per character, so a person has to name it.
    case windows1252 = "windows-1252"

    /// What programs call these encodings, without case and separators.
    private static let otherNames: [String: TextEncoding] = [
        "utf8": .utf8, "utf8sig": .utf8, "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian, "ascii": .utf8,
        "usascii": .utf8, "windows1252": .windows1252, "cp1252": .windows1252, "xcp1252": .windows1252,
        "win1252": .windows1252, "1252": .windows1252, "ansi": .windows1252,
        // ISO 8859-1 has no characters where Windows-1252 has others (encoding.spec.whatwg.org).
        "latin1": .windows1252, "l1": .windows1252, "iso88591": .windows1252,
    ]

    init?(named name: String) {
        guard let encoding = Self.otherNames[name.lowercased().filter { $0.isLetter || $0.isNumber }] else {
            return nil
        }
        self = encoding
    }

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
        (Array("SQLi".utf8), "The file is a database of SQLite. Export the table as CSV."),
        (Array("PAR1".utf8), "The file is in Parquet. Convert it to CSV."),
        ([0xFD, 0x37, 0x7A, 0x58], compressed), ([0x28, 0xB5, 0x2F, 0xFD], compressed), (Array("BZh".utf8), compressed),
        (Array("7z".utf8) + [0xBC, 0xAF], compressed),
        (
            Array("<".utf8),
            "The file is HTML or XML, as some programs write for spreadsheets. Open it in a spreadsheet, and save it as "
                + "CSV UTF-8."
        ),
    ]

    private static let compressed = "The file is compressed. Unpack it."

    /// `start` are at least the bytes of a detection, unless the file is shorter.
    static func refusal(of start: some Collection<UInt8>, isNDJSON: Bool) -> APIError? {
        if let kind = kinds.first(where: { start.starts(with: $0.start) }) {
            return .badRequest("not-a-text-file", kind.message)
        }
        if start.prefix(TextEncoding.detectionSize).contains(0) {
            return .badRequest("not-a-text-file", "The file is no text, or is in UTF-32. Save it as CSV UTF-8.")
        }
        switch (isNDJSON, start.first) {
        case (true, UInt8(ascii: "[")):
            return .badRequest(
                "json-list",
                "The file is one JSON list. Write each object on a line of its own: jq -c '.[]' list.json > list.ndjson"
            )
        case (false, UInt8(ascii: "[")), (false, UInt8(ascii: "{")):
            return .badRequest(
                "json-as-csv", "The file is JSON, not CSV. Send it as application/x-ndjson, with one object a line.")
        default: return nil
        }
    }
}
