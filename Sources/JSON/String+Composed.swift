@_spi(_Unicode) import Swift

extension String {
    /// The text in Unicode's normalization form C, in which é is one character however it was typed. PostgreSQL and our
    /// own comparisons go by bytes.
    ///
    /// Most texts are in this form and are returned as they are, without an allocation.
    public var composed: String {
        guard utf8.contains(where: { $0 >= Self.firstLead }), !unicodeScalars.allSatisfy(Self.isComposed) else {
            return self
        }
        var scalars = UnicodeScalarView()
        for scalar in _nfc { scalars.append(scalar) }
        return String(scalars)
    }

    /// The first byte in UTF-8 of U+0300, before which no character combines or has another form.
    private static let firstLead: UInt8 = 0xCC

    /// Scripts and emoji whose characters are in form C and never combine with the one before
    /// (DerivedNormalizationProps, NFC_Quick_Check). Others take the longer way.
    private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x400..<0x483, 0x48A..<0x591, 0xE01..<0xE38, 0x200B..<0x20D0, 0x3001..<0x302A,
            0x3030..<0x3099, 0x309B..<0xA000, 0xAC00..<0xD7A4, 0xFE00..<0xFE10,
            0xFF01..<0xFFF0, 0x1F300..<0x1FB00:
            true
        default: false
        }
    }
}
