extension AttachmentType {
    /// The format that the first bytes of a file show.
    public enum Detected: Sendable, Equatable {
        /// A format that iOS shows.
        case known(AttachmentType)
        /// A format that iOS does not show, whatever the server calls it: WebP, or the HTML page of an error.
        case unsupported
        /// The names decide.
        case unknown
    }

    /// The bytes that are needed: the list of an MPEG-4 file's compatible brands is the longest part.
    public static let headSize = 64

    /// Reads the signature at the start of a file.
    public static func detect(_ head: [UInt8]) -> Detected {
        func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }

        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .known(.jpeg) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .known(.png) }
        if has("GIF87a") || has("GIF89a") { return .known(.gif) }
        if has("RIFF") {
            if has("WAVE", at: 8) { return .known(.wav) }
            return has("AVI ", at: 8) ? .known(.avi) : .unsupported
        }
        if has("FORM"), has("AIFF", at: 8) { return .known(.aiff) }
        if has("FORM"), has("AIFC", at: 8) { return .known(.aifc) }
        if has("ftyp", at: 4) { return movie(head) }
        if has("ID3") || isMP3Frame(head) { return .known(.mp3) }
        // A pack or a sequence header: ISO 11172-1 §2.4.3.2, ISO 11172-2 §2.4.2.3.
        if head.starts(with: [0, 0, 1, 0xBA]) || head.starts(with: [0, 0, 1, 0xB3]) { return .known(.mpeg) }
        return isUnsupported(head) ? .unsupported : .unknown
    }

    /// The ISO base media format names its major brand, a version, and compatible brands (ISO 14496-12 §4.3).
    private static func movie(_ head: [UInt8]) -> Detected {
        let size = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let brands = stride(from: 8, to: min(size, head.count) - 3, by: 4).filter { $0 != 12 }.map {
            String(decoding: head[$0..<($0 + 4)], as: UTF8.self)
        }
        guard let major = brands.first else { return .unsupported }
        if ["M4A ", "M4B "].contains(major) { return .known(.m4a) }
        // Cameras write their own major brand. HEIC, AVIF and QuickTime files may list MPEG-4's brands, too.
        guard !unsupportedBrands.contains(major), !major.hasPrefix("3g") else { return .unsupported }
        return brands.contains(where: movieBrands.contains) ? .known(.mp4) : .unsupported
    }

    private static let movieBrands: Set<String> = [
        "mp41", "mp42", "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "M4V ", "M4VH",
        "M4VP", "MSNV", "dash",
    ]

    private static let unsupportedBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "qt  ", "crx ",
    ]

    /// The header of a frame of layer III without reserved values (ISO 11172-3 §2.4.2.3). AAC has another layer.
    private static func isMP3Frame(_ head: [UInt8]) -> Bool {
        guard head.count >= 3, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 == 0x02 && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
    }

    private static func isUnsupported(_ head: [UInt8]) -> Bool {
        // Text is a page of an error or a sign-in, or an answer in JSON.
        let text = head.drop { [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = text.first, ![UInt8(ascii: "<"), UInt8(ascii: "{")].contains(first) else { return true }
        return unsupportedSignatures.contains { head.starts(with: $0) }
    }

    /// WebM, PDF, TIFF, Ogg, FLAC, JPEG XL, ZIP, gzip, and AAC without a container.
    private static let unsupportedSignatures: [[UInt8]] = [
        [0x1A, 0x45, 0xDF, 0xA3], Array("%PDF".utf8), Array("II*\0".utf8), Array("MM\0*".utf8), Array("OggS".utf8),
        Array("fLaC".utf8), [0xFF, 0x0A], Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B], [0xFF, 0xF1], [0xFF, 0xF9],
    ]
}
