import JSON

/// A file format that iOS does not show in a notification, with a name for people and advice.
struct UnsupportedMedia: Equatable {
    /// Continues "is": "a WebP image".
    let name: Message
    let advice: Message?

    private init(_ name: Message, _ advice: Message? = nil) {
        self.name = name
        self.advice = advice
    }

    var refusal: InvalidValue {
        let advice: Message = advice.map { "; \($0)" } ?? ""
        return InvalidValue(
            "media-type", "is \(name), which iOS does not show in a notification\(advice)")
    }

    private static let asImage: Message = "save it as JPEG or PNG"
    private static let asMovie: Message = "save it as MP4"
    private static let asAudio: Message = "save it as M4A or MP3"
    private static let asFile: Message = "use an image, a sound or a video"

    static let damaged = UnsupportedMedia("damaged or in an unknown format", asFile)
    static let flac = UnsupportedMedia("FLAC audio", asAudio)
    static let aac = UnsupportedMedia("AAC audio without a container", asAudio)

    /// Signatures of formats, the most specific first.
    private static let signatures: [(offset: Int, bytes: [UInt8], media: UnsupportedMedia)] = [
        (0, Array("fLaC".utf8), flac),
        (0, Array("OggS".utf8), UnsupportedMedia("Ogg audio or video", asAudio)),
        (0, Array("BM".utf8), UnsupportedMedia("a BMP image", asImage)),
        (0, [0x1A, 0x45, 0xDF, 0xA3], UnsupportedMedia("a WebM or Matroska video", asMovie)),
        (0, Array("%PDF-".utf8), UnsupportedMedia("a PDF document", asImage)),
        (0, Array("II*\0".utf8), UnsupportedMedia("a TIFF image", asImage)),
        (0, Array("MM\0*".utf8), UnsupportedMedia("a TIFF image", asImage)),
        (0, Array("8BPS".utf8), UnsupportedMedia("a Photoshop image", asImage)),
        (0, [0, 0, 1, 0], UnsupportedMedia("a Windows icon", asImage)),
        (0, [0xFF, 0x0A], UnsupportedMedia("a JPEG XL image", asImage)),
        (4, Array("JXL ".utf8), UnsupportedMedia("a JPEG XL image", asImage)),
        (4, Array("jP  ".utf8), UnsupportedMedia("a JPEG 2000 image", asImage)),
        (0, Array("FLV".utf8), UnsupportedMedia("a Flash video", asMovie)),
        (0, [0x30, 0x26, 0xB2, 0x75], UnsupportedMedia("a Windows Media file", asMovie)),
        (0, Array("caff".utf8), UnsupportedMedia("a CAF sound, which works as a sound, not as an attachment", asAudio)),
        (0, Array("#!AMR".utf8), UnsupportedMedia("AMR audio", asAudio)),
        (0, Array("MThd".utf8), UnsupportedMedia("a MIDI file", asAudio)),
        (0, Array(".snd".utf8), UnsupportedMedia("an AU sound", asAudio)),
        (0, Array("PK\u{3}\u{4}".utf8), UnsupportedMedia("a ZIP archive or an office document", asFile)),
        (0, [0x1F, 0x8B], UnsupportedMedia("a gzip archive", asFile)),
        (0, [0x7F, 0x45, 0x4C, 0x46], UnsupportedMedia("a program", asFile)),
        (0, Array("MZ".utf8), UnsupportedMedia("a program", asFile)),
        (4, Array("moov".utf8), quickTime), (4, Array("mdat".utf8), quickTime), (4, Array("wide".utf8), quickTime),
        (4, Array("free".utf8), quickTime),
    ]

    private static let quickTime = UnsupportedMedia("a QuickTime movie", asMovie)

    static func name(_ bytes: MediaBytes) -> UnsupportedMedia {
        if bytes.count == 0 { return UnsupportedMedia("empty", asFile) }
        if bytes.has("RIFF"), bytes.has("WEBP", at: 8) { return UnsupportedMedia("a WebP image", asImage) }
        // Text first, since many signatures are words.
        if let text = bytes.text { return named(text) }
        if let found = signatures.first(where: { bytes.has($0.bytes, at: $0.offset) }) { return found.media }
        if bytes.isADTS(at: 0) { return aac }
        if [0, 188, 376].allSatisfy({ bytes[$0] == 0x47 }) {
            return UnsupportedMedia("an MPEG transport stream", asMovie)
        }
        return damaged
    }

    static func isoMedia(brand: String) -> UnsupportedMedia? {
        switch brand {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1":
            UnsupportedMedia("a HEIC image", asImage)
        case "avif", "avis": UnsupportedMedia("an AVIF image", asImage)
        case "qt  ": quickTime
        case _ where brand.hasPrefix("3g"): UnsupportedMedia("a 3GPP video", asMovie)
        case "crx ": UnsupportedMedia("a raw photograph", asImage)
        default: nil
        }
    }

    static func unknownBrand(_ brand: String) -> UnsupportedMedia {
        UnsupportedMedia("a media file of the unknown brand \"\(brand)\"", asMovie)
    }

    /// `text` must be in lower case. The first mark decides, since HTML may contain SVG and vice versa.
    private static func named(_ text: String) -> UnsupportedMedia {
        let marks: [(mark: String, media: UnsupportedMedia)] = [
            ("<!doctype html", UnsupportedMedia("an HTML page, perhaps of an error or a sign-in", asFile)),
            ("<html", UnsupportedMedia("an HTML page, perhaps of an error or a sign-in", asFile)),
            ("<svg", UnsupportedMedia("an SVG drawing", asImage)),
        ]
        let found = marks.compactMap { mark, media in text.firstRange(of: mark).map { ($0.lowerBound, media) } }
        let start = text.drop(while: \.isWhitespace)
        if start.hasPrefix("<"), let first = found.min(by: { $0.0 < $1.0 }) { return first.1 }
        if start.hasPrefix("%pdf-") { return UnsupportedMedia("a PDF document", asImage) }
        if start.hasPrefix("#extm3u") { return UnsupportedMedia("a playlist for streaming", asMovie) }
        if start.hasPrefix("{") || start.hasPrefix("[") { return UnsupportedMedia("a JSON text", asFile) }
        if start.hasPrefix("<?xml") { return UnsupportedMedia("an XML text", asFile) }
        return UnsupportedMedia("a text", asFile)
    }
}
