public import JSON

extension MediaType {
    /// The number of bytes from the start of a file that are needed to detect its format.
    public static let prefixSize = 4_096

    /// Detects the format by the first bytes of a file, not by its name. The error names formats that iOS can't show.
    public static func detect(_ prefix: [UInt8]) throws(InvalidValue) -> MediaType {
        let bytes = MediaBytes(prefix)
        if let type = image(bytes) ?? chunked(bytes) ?? movie(bytes) {
            try ImageSize(type, bytes)?.check(isVideo: type.kind == .video)
            return type
        }
        if bytes.has("ftyp", at: 4) { return try isoMedia(bytes) }
        if bytes.has("ID3") { return try tagged(bytes) }
        if MPEGAudioFrame.begins(bytes, at: 0) { return .mp3 }
        throw UnsupportedMedia.name(bytes).refusal
    }

    private static func image(_ bytes: MediaBytes) -> MediaType? {
        // JPEG's start marker is followed by another marker.
        if bytes.has([0xFF, 0xD8, 0xFF]), let marker = bytes[3], marker >= 0xC0, marker < 0xFF { return .jpeg }
        // Xcode inserts its own chunk before the first.
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes.has("IHDR", at: 12) || bytes.has("CgBI", at: 12)
        {
            return .png
        }
        // Signature, screen size, flags, background, aspect ratio.
        if bytes.has("GIF87a") || bytes.has("GIF89a"), bytes.count >= 13 { return .gif }
        return nil
    }

    /// Formats with IFF chunks: a name, a size, the type of content.
    private static func chunked(_ bytes: MediaBytes) -> MediaType? {
        if bytes.has("RIFF") {
            if bytes.has("WAVE", at: 8) { return .wav }
            if bytes.has("AVI ", at: 8) { return .avi }
        }
        if bytes.has("FORM") {
            if bytes.has("AIFF", at: 8) { return .aiff }
            if bytes.has("AIFC", at: 8) { return .aifc }
        }
        return nil
    }

    private static func movie(_ bytes: MediaBytes) -> MediaType? {
        guard bytes.has([0, 0, 1]), let code = bytes[3], let first = bytes[4], let fourth = bytes[7] else { return nil }
        switch code {
        case 0xBA where first & 0xC4 == 0x44: return .mpeg2  // ISO 13818-1 §2.5.3.3: '01' before the clock
        case 0xBA where first & 0xF1 == 0x21: return .mpeg  // ISO 11172-1 §2.4.3.2: '0010' before the clock
        case 0xB3 where (1...8).contains(fourth & 0x0F) && fourth >> 4 != 0: return elementaryStream(bytes)
        default: return nil
        }
    }

    /// A sequence header (ISO 11172-2 §2.4.2.3), which in MPEG-2 an extension follows (ISO 13818-2 §6.2.2).
    private static func elementaryStream(_ bytes: MediaBytes) -> MediaType {
        var offset = 12
        // Quantiser tables may be between them; they contain no 0.
        while let byte = bytes[offset], byte != 0 || !bytes.has([0, 0, 1], at: offset) { offset += 1 }
        return bytes[offset + 3] == 0xB5 ? .mpeg2 : .mpeg
    }

    /// The ISO base media format (ISO 14496-12 §4.3): the major brand, a version, and compatible brands.
    private static func isoMedia(_ bytes: MediaBytes) throws(InvalidValue) -> MediaType {
        guard let brand = bytes.text(at: 8, count: 4) else { throw UnsupportedMedia.damaged.refusal }
        if ["M4A ", "M4B "].contains(brand) { return .m4a }
        if mp4Brands.contains(brand) { return .mp4 }
        if let known = UnsupportedMedia.isoMedia(brand: brand) { throw known.refusal }
        // Cameras write their own brands, and list compatible ones.
        let end = min(bytes.number(at: 0), bytes.count)
        let others = stride(from: 16, to: end, by: 4).compactMap { bytes.text(at: $0, count: 4) }
        guard others.contains(where: mp4Brands.contains) else { throw UnsupportedMedia.unknownBrand(brand).refusal }
        return .mp4
    }

    private static let mp4Brands: Set<String> = [
        "mp41", "mp42", "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "M4V ", "M4VH",
        "M4VP", "MSNV", "dash",
    ]

    /// ID3 precedes MP3, and sometimes other formats.
    private static func tagged(_ bytes: MediaBytes) throws(InvalidValue) -> MediaType {
        guard let version = bytes[3], (2...4).contains(version), let size = bytes.id3Size else {
            throw UnsupportedMedia.damaged.refusal
        }
        guard size < bytes.count else { return .mp3 }
        if bytes.has("fLaC", at: size) { throw UnsupportedMedia.flac.refusal }
        if bytes.isADTS(at: size) { throw UnsupportedMedia.aac.refusal }
        return .mp3
    }
}
