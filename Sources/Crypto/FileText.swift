/// Decodes the text files that people make: UTF-8, or UTF-16 as Windows writes it, with or without a byte order mark.
public enum FileText {
    /// Nil if the bytes are not text.
    public static func decode(_ bytes: some Collection<UInt8>) -> String? {
        let bytes = Array(bytes)
        if bytes.count % 2 == 0, bytes.starts(with: [0xFF, 0xFE]) || isWide(bytes, zeroAt: 1) {
            return wide(bytes) { UInt16($0) | UInt16($1) << 8 }
        }
        if bytes.count % 2 == 0, bytes.starts(with: [0xFE, 0xFF]) || isWide(bytes, zeroAt: 0) {
            return wide(bytes) { UInt16($0) << 8 | UInt16($1) }
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return withoutMark(text)
    }

    private static func isWide(_ bytes: [UInt8], zeroAt offset: Int) -> Bool {
        bytes.count >= 4 && stride(from: offset, to: bytes.count, by: 2).allSatisfy { bytes[$0] == 0 }
    }

    private static func wide(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        let units = stride(from: 0, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self).map(withoutMark)
    }

    private static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
