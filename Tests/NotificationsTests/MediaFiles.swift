import JSON
import Notifications

/// The beginnings of small files, as their formats' standards define them.
enum MediaFiles {
    static let supported: [(MediaType, [UInt8])] = [
        (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + text("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0]),
        (.jpeg, [0xFF, 0xD8, 0xFF, 0xE1, 0, 16] + text("Exif\0\0")),
        (.png, pngSignature + [0, 0, 0, 13] + text("IHDR") + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]),
        (.gif, text("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0]),
        (.gif, text("GIF87a") + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0]),
        (.wav, text("RIFF") + [36, 0, 0, 0] + text("WAVEfmt ") + [16, 0, 0, 0, 1, 0, 1, 0]),
        (.avi, text("RIFF") + [36, 0, 0, 0] + text("AVI LIST")),
        (.aiff, text("FORM") + [0, 0, 0, 46] + text("AIFFCOMM")),
        (.aifc, text("FORM") + [0, 0, 0, 46] + text("AIFCFVER")),
        (.mp3, text("ID3") + [4, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0] + mp3Frame),
        (.mp3, text("ID3") + [3, 0, 0, 0, 1, 0x7F, 0x7F] + [UInt8](repeating: 0, count: 100)),
        (.mp3, mp3Frame + mp3Frame),
        (.mp3, mp3Frame),
        (.mp3, lowMP3Frame + lowMP3Frame),
        (.m4a, fileType("M4A ", ["M4A ", "mp42", "isom"])),
        (.mp4, fileType("mp42", ["mp42", "isom"])),
        (.mp4, fileType("isom", ["isom", "iso2", "avc1", "mp41"])),
        (.mp4, fileType("XAVC", ["XAVC", "mp42"])),
        (.mpeg2, [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 3, 0xF8]),
        (.mpeg, [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0x80, 0, 1]),
        (.mpeg, sequenceHeader + [0, 0, 1, 0xB8, 0, 8, 0, 0]),
        (.mpeg2, sequenceHeader + [0, 0, 1, 0xB5, 0x14, 0x8A]),
        (.mpeg2, sequenceHeader + [UInt8](repeating: 16, count: 64) + [0, 0, 1, 0xB5, 0x14, 0x8A]),
    ]

    /// With a word that the error must contain.
    static let unsupported: [(String, [UInt8])] = [
        ("WebP", text("RIFF") + [36, 0, 0, 0] + text("WEBPVP8 ")), ("HEIC", fileType("heic", ["mif1", "heic"])),
        ("HEIC", fileType("mif1", ["mif1", "heic"])), ("AVIF", fileType("avif", ["avif", "mif1"])),
        ("QuickTime", fileType("qt  ", ["qt  "])), ("QuickTime", [0, 0, 0, 8] + text("wide") + [0, 0, 1, 0]),
        ("3GPP", fileType("3gp5", ["3gp5", "isom"])), ("unknown brand \"abcd\"", fileType("abcd", ["abcd"])),
        ("SVG", text("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
        ("SVG", text("\n<?xml version=\"1.0\"?>\n<!-- <x> -->\n<svg><foreignObject><html/></foreignObject></svg>")),
        ("HTML", text("<!DOCTYPE html><html><svg/></html>")), ("HTML", [0xEF, 0xBB, 0xBF] + text("  <HTML lang=en>")),
        ("HTML", [0xFF, 0xFE] + text("<html>").flatMap { [$0, 0] }), ("XML", text("<?xml version=\"1.0\"?><rss/>")),
        ("JSON", text(" {\"error\":\"not found\"}")), ("a text", text("BMW, MZ and ID cards: GIF")),
        ("a text", text("é\u{1F600}")), ("playlist", text("#EXTM3U\n")), ("PDF", text("%PDF-1.7\n")),
        ("PDF", text("%PDF-1.7\n") + [0, 0xFF]), ("BMP", text("BM") + [0x36, 0, 0, 0, 0, 0, 0, 0]),
        ("Ogg", text("OggS") + [0, 2, 0, 0]), ("FLAC", text("fLaC") + [0, 0, 0, 34]),
        ("FLAC", text("ID3") + [4, 0, 0, 0, 0, 0, 0] + text("fLaC") + [0, 0, 0, 34]),
        ("AAC", [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC, 0]),
        ("AAC", text("ID3") + [4, 0, 0, 0, 0, 0, 0, 0xFF, 0xF1, 0x50, 0x80]),
        ("WebM", [0x1A, 0x45, 0xDF, 0xA3, 0x01, 0, 0, 0]), ("TIFF", text("II*\0") + [8, 0, 0, 0]),
        ("ZIP", text("PK\u{3}\u{4}") + [20, 0, 0, 0]), ("gzip", [0x1F, 0x8B, 8, 0]),
        ("program", text("MZ") + [0x90, 0]),
        ("CAF", text("caff") + [0, 1, 0, 0]), ("transport stream", transportStream), ("empty", []),
        ("damaged", [0, 1, 2, 3]), ("damaged", text("ID3") + [9, 0, 0, 0, 0, 0, 0]),
        ("damaged", text("ID3") + [3, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
    ]

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// 128 kbit/s at 44.1 kHz: 417 bytes.
    static let mp3Frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
    /// MPEG-2, 64 kbit/s at 22.05 kHz, padded: 209 bytes.
    static let lowMP3Frame: [UInt8] = [0xFF, 0xF3, 0x82, 0xC4] + [UInt8](repeating: 0, count: 205)
    /// 352 by 288, 25 pictures a second.
    static let sequenceHeader: [UInt8] = [0, 0, 1, 0xB3, 0x16, 0x01, 0x20, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
    static let transportStream: [UInt8] = (0..<3).flatMap { _ in
        [0x47, 0x40, 0, 0x10] + [UInt8](repeating: 0, count: 184)
    }

    static func fileType(_ brand: String, _ compatible: [String]) -> [UInt8] {
        let size = UInt8(16 + 4 * compatible.count)
        return [0, 0, 0, size] + text("ftyp") + text(brand) + [0, 0, 2, 0] + compatible.flatMap(text) + [0, 0, 0, 8]
            + text("moov")
    }

    static func text(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }
}
