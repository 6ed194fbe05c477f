import HTTPServer

/// The encoding of a device file. Spreadsheets save all of these.
enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    // The others can't be told from each other, so a person has to name them: Korean is valid GB 18030, and German
    // valid Windows-1250.
    case windows1252 = "windows-1252"
    case gb18030
    case big5
    case shiftJIS = "shift_jis"
    case eucKR = "euc-kr"
    /// Central Europe.
    case windows1250 = "windows-1250"
    /// Cyrillic.
    case windows1251 = "windows-1251"
    /// Turkish.
    case windows1254 = "windows-1254"

    /// What programs call these encodings, without case and separators.
    private static let otherNames: [String: TextEncoding] = [
        "utf8": .utf8, "utf8sig": .utf8, "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian, "ascii": .utf8,
        "usascii": .utf8, "windows1252": .windows1252, "cp1252": .windows1252, "xcp1252": .windows1252,
        "win1252": .windows1252, "1252": .windows1252, "ansi": .windows1252,
        // ISO 8859-1 has no characters where Windows-1252 has others (encoding.spec.whatwg.org).
        "latin1": .windows1252, "l1": .windows1252, "iso88591": .windows1252,
        // GB 2312 and GBK are parts of GB 18030, and Windows' code pages have the national standards in them.
        "gb18030": .gb18030, "gbk": .gb18030, "gb2312": .gb18030, "cp936": .gb18030, "936": .gb18030,
        "windows936": .gb18030, "ms936": .gb18030, "xgbk": .gb18030, "euccn": .gb18030,
        "big5": .big5, "cp950": .big5, "950": .big5, "windows950": .big5, "ms950": .big5,
        "shiftjis": .shiftJIS, "sjis": .shiftJIS, "cp932": .shiftJIS, "932": .shiftJIS, "windows31j": .shiftJIS,
        "ms932": .shiftJIS, "xsjis": .shiftJIS, "windows932": .shiftJIS, "mskanji": .shiftJIS,
        "euckr": .eucKR, "cp949": .eucKR, "949": .eucKR, "uhc": .eucKR, "ms949": .eucKR, "windows949": .eucKR,
        "windows1250": .windows1250, "cp1250": .windows1250, "1250": .windows1250,
        "windows1251": .windows1251, "cp1251": .windows1251, "1251": .windows1251,
        "windows1254": .windows1254, "cp1254": .windows1254, "1254": .windows1254, "latin5": .windows1254,
        "iso88599": .windows1254,
    ]

    /// The C library's name of an encoding that it has the tables of.
    var table: String? {
        switch self {
        case .utf8, .utf16LittleEndian, .utf16BigEndian, .windows1252: nil
        case .gb18030: "GB18030"
        case .big5: "CP950"
        case .shiftJIS: "CP932"
        case .eucKR: "CP949"
        case .windows1250: "CP1250"
        case .windows1251: "CP1251"
        case .windows1254: "CP1254"
        }
    }

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
        case .windows1252, .big5, .shiftJIS, .eucKR, .windows1250, .windows1251, .windows1254: []
        case .gb18030: [0x84, 0x31, 0x95, 0x33]
        }
    }

    /// Encodings in which bytes that are not UTF-8 are text; the likeliest first, but only a person can tell. Of East
    /// Asian text most bytes are beside each other, of European languages the letters with accents are alone.
    static func possible(for bytes: [UInt8]) -> [TextEncoding] {
        let isHigh = bytes.map { $0 >= 0x80 }
        let pairs = zip(isHigh, isHigh.dropFirst()).count { $0 && $1 }
        let isEuropean = 2 * pairs < isHigh.count { $0 }
        let asian = [gb18030, shiftJIS, big5, eucKR].filter { encoding in
            guard let table = encoding.table, TableEncoding.isInstalled(table) else { return false }
            let (text, rest) = TableEncoding.decode(bytes, as: table, invalid: TextDecoder.invalid)
            return rest.isEmpty && !text.contains(TextDecoder.invalid)
        }
        return isEuropean ? [windows1252] + asian : asian + [windows1252]
    }
}
