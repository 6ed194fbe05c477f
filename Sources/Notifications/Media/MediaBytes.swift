/// The start of a file, with bounds-checked access.
struct MediaBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.prefix(MediaType.prefixSize)
    }

    var count: Int { bytes.count }

    subscript(offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
        offset <= bytes.count && bytes.dropFirst(offset).starts(with: signature)
    }

    func has(_ signature: StaticString, at offset: Int = 0) -> Bool {
        signature.withUTF8Buffer { offset <= bytes.count && bytes.dropFirst(offset).starts(with: $0) }
    }

    /// Four bytes as a big-endian number; 0 if there are fewer.
    func number(at offset: Int) -> Int {
        let slice = bytes.dropFirst(offset).prefix(4)
        return slice.count == 4 ? slice.reduce(0) { $0 << 8 | Int($1) } : 0
    }

    func littleEndian(at offset: Int) -> Int {
        let slice = bytes.dropFirst(offset).prefix(4)
        return slice.count == 4 ? slice.reversed().reduce(0) { $0 << 8 | Int($1) } : 0
    }

    /// Printable ASCII; nil for other bytes.
    func text(at offset: Int, count: Int) -> String? {
        let slice = bytes.dropFirst(offset).prefix(count)
        guard slice.count == count, slice.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: slice, as: UTF8.self)
    }

    /// The size of an ID3 tag with its header, whose size field has seven bits per byte (ID3v2 §3.1).
    var id3Size: Int? {
        var size = 0
        for offset in 6...9 {
            guard let byte = self[offset], byte < 0x80 else { return nil }
            size = size << 7 | Int(byte)
        }
        return size + 10
    }

    /// AAC without a container (ISO 13818-7 §6.2): twelve bits of 1, then layer 0.
    func isADTS(at offset: Int) -> Bool {
        guard self[offset] == 0xFF, let second = self[offset + 1] else { return false }
        return second & 0xF6 == 0xF0
    }

    /// All bytes as text in lower case, if they are text in UTF-8 or UTF-16.
    var text: String? {
        if has([0xFF, 0xFE]) || has([0xFE, 0xFF]) {
            return String(decoding: bytes.dropFirst(2).filter { $0 != 0 }, as: UTF8.self).lowercased()
        }
        let body = has([0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        let isText = body.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
        let text = String(decoding: body, as: UTF8.self)
        // The prefix may end within a character, so the last one may be invalid.
        guard isText, !text.unicodeScalars.dropLast().contains("\u{FFFD}") else { return nil }
        return text.lowercased()
    }
}

/// A frame of MP3 (ISO 11172-3 §2.4.1.3, and its extension to lower rates).
struct MPEGAudioFrame: Equatable {
    private let version: UInt8
    private let sampleRate: Int
    let size: Int

    /// Frames have no signature, only eleven bits of 1: two consistent frames in a row are proof.
    static func begins(_ bytes: MediaBytes, at offset: Int) -> Bool {
        guard let first = MPEGAudioFrame(bytes, at: offset) else { return false }
        let end = offset + first.size
        if end == bytes.count { return true }
        guard let second = MPEGAudioFrame(bytes, at: end) else { return false }
        return second.version == first.version && second.sampleRate == first.sampleRate
    }

    private init?(_ bytes: MediaBytes, at offset: Int) {
        guard bytes[offset] == 0xFF, let second = bytes[offset + 1], second & 0xE0 == 0xE0,
            let third = bytes[offset + 2]
        else { return nil }
        version = second >> 3 & 3
        let isLayerIII = second >> 1 & 3 == 1
        let rates = [44_100, 48_000, 32_000]
        let rate = Int(third >> 2 & 3)
        let bitRates = version == 3 ? Self.bitRates : Self.lowerBitRates
        let bitRate = Int(third >> 4)
        guard version != 1, isLayerIII, rate < rates.count, (1..<bitRates.count).contains(bitRate) else { return nil }
        // Version 3 is MPEG-1, 2 halves its sampling rates, 0 quarters them.
        sampleRate = rates[rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let samplesPerEighth = version == 3 ? 144 : 72
        size = samplesPerEighth * bitRates[bitRate] * 1_000 / sampleRate + Int(third >> 1 & 1)
    }

    /// In kbit/s.
    private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowerBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
