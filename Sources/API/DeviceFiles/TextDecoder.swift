/// Converts the bytes of a text file to UTF-8 incrementally, without the byte order mark. A value: the result doesn't
/// depend on how the file is divided into pieces.
///
/// Bytes that are no character become a byte that UTF-8 does not have, so that only their line is refused.
struct TextDecoder: Sendable {
    static let invalid: UInt8 = 0xFF

    /// Nil until enough of the file has been read.
    private(set) var encoding: TextEncoding?
    private let given: TextEncoding?
    /// The first bytes of the file, until the encoding is known; then those of half a character.
    private var held: [UInt8] = []
    /// A high surrogate that waits for the low one.
    private var high: UInt32?

    /// `encoding` is what a person says; otherwise it is detected.
    init(_ encoding: TextEncoding? = nil) {
        given = encoding
    }

    mutating func decode(_ piece: [UInt8]) -> [UInt8] {
        guard let encoding else {
            held += piece
            guard held.count >= TextEncoding.detectionSize else { return [] }
            return start()
        }
        return decode(piece[...], encoding)
    }

    /// Ends the file: returns what was held back.
    mutating func finish() -> [UInt8] {
        var text = encoding == nil ? start() : []
        if !held.isEmpty || high != nil { text.append(Self.invalid) }
        return text
    }

    private mutating func start() -> [UInt8] {
        let bytes = held
        held = []
        let detected = TextEncoding.detect(bytes)
        let encoding = given ?? detected.encoding
        self.encoding = encoding
        let mark = bytes.starts(with: encoding.mark) ? encoding.mark.count : 0
        return decode(bytes.dropFirst(mark), encoding)
    }

    private mutating func decode(_ bytes: ArraySlice<UInt8>, _ encoding: TextEncoding) -> [UInt8] {
        switch encoding {
        case .utf8: Array(bytes)
        case .windows1252: Self.windows1252(bytes)
        case .utf16LittleEndian: utf16(bytes) { UInt32($1) << 8 | UInt32($0) }
        case .utf16BigEndian: utf16(bytes) { UInt32($0) << 8 | UInt32($1) }
        case .gb18030, .big5, .shiftJIS, .eucKR, .windows1250, .windows1251, .windows1254:
            table(bytes, encoding.table ?? "")
        }
    }

    private mutating func table(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8] {
        let (text, rest) = TableEncoding.decode(held + bytes, as: name, invalid: Self.invalid)
        held = rest
        return text
    }

    private mutating func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt32) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let first = held.popLast() else {
                held.append(byte)
                continue
            }
            take(unit(first, byte), into: &text)
        }
        return text
    }

    private mutating func take(_ unit: UInt32, into text: inout [UInt8]) {
        let upper = high
        high = nil
        switch (upper, unit) {
        case (let upper?, 0xDC00...0xDFFF): Self.append(0x10000 + (upper - 0xD800) << 10 + (unit - 0xDC00), to: &text)
        case (_?, _):
            text.append(Self.invalid)
            take(unit, into: &text)
        case (nil, 0xD800...0xDBFF): high = unit
        case (nil, _): Self.append(unit, to: &text)
        }
    }

    private static func append(_ code: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(code) else { return text.append(invalid) }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            append(byte < 0xA0 ? windows1252Letters[Int(byte - 0x80)] : UInt32(byte), to: &text)
        }
        return text
    }

    /// The characters 0x80 to 0x9F (encoding.spec.whatwg.org, index windows-1252), which ISO 8859-1 does not have.
    private static let windows1252Letters: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
