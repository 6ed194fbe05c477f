import HTTPServer
import JSON

/// Files of programs that are no text files, by their first bytes.
enum UnreadableFile {
    private static let kinds: [(start: [UInt8], message: Message)] = [
        (Array("PK\u{3}\u{4}".utf8), archive), (Array("PK\u{5}\u{6}".utf8), archive),
        ([0xD0, 0xCF, 0x11, 0xE0], "The file is an old Excel workbook. Save the sheet as CSV."),
        ([0x1F, 0x8B], "The file is compressed more than once. Unpack it."),
        (Array("%PDF".utf8), "The file is a PDF. Import a CSV or NDJSON file."),
        (Array("SQLi".utf8), "The file is a database of SQLite. Export the table as CSV."),
        (Array("PAR1".utf8), "The file is in Parquet. Convert it to CSV."),
        (Array("Obj\u{1}".utf8), "The file is in Avro. Convert it to JSON: avro-tools tojson file.avro"),
        (Array("bpli".utf8), "The file is a property list. Import a CSV or NDJSON file."),
        (Array(#"{\rt"#.utf8), "The file is in Rich Text Format. Save it as plain text in UTF-8."),
        ([0xFD, 0x37, 0x7A, 0x58], compressed), ([0x28, 0xB5, 0x2F, 0xFD], compressed), (Array("BZh".utf8), compressed),
        (Array("7z".utf8) + [0xBC, 0xAF], compressed),
        (
            Array("<".utf8),
            "The file is HTML or XML, as some programs write for spreadsheets. Open it in a spreadsheet, and save it as "
                + "CSV UTF-8."
        ),
    ]

    private static let archive: Message =
        "The file is an Excel workbook, a Numbers document or a ZIP archive. Save the sheet as CSV (in Excel: CSV UTF-8; "
        + "in Numbers: Export To, CSV), or unpack the archive and choose the file in it."
    private static let compressed: Message = "The file is compressed. Unpack it."

    /// `start` are at least the bytes of a detection, unless the file is shorter.
    static func refusal(of start: some Collection<UInt8>) -> APIError? {
        if let kind = kinds.first(where: { start.starts(with: $0.start) }) {
            return .notATextFile(kind.message)
        }
        if start.prefix(TextEncoding.detectionSize).contains(0) {
            return .notATextFile("The file is no text, or is in UTF-32. Save it as CSV UTF-8.")
        }
        return nil
    }
}
