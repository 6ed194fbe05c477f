import Foundation
import Testing

@testable import BelfryCore

struct AttachmentTypeTests {
    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF89a".utf8), .gif), (Array("RIFF\0\0\0\0WAVEfmt ".utf8), .wav),
            (Array("RIFF\0\0\0\0AVI LIST".utf8), .avi), (Array("FORM\0\0\0\0AIFF".utf8), .aiff),
            (Array("FORM\0\0\0\0AIFC".utf8), .aifc), (Array("ID3\u{4}".utf8), .mp3), ([0xFF, 0xFB, 0x90, 0x64], .mp3),
            (movie("M4A ", "isom"), .m4a), (movie("isom", "avc1"), .mp4), (movie("XAVC", "mp42"), .mp4),
            ([0, 0, 1, 0xBA, 0x44], .mpeg), ([0, 0, 1, 0xB3], .mpeg),
        ] as [([UInt8], AttachmentType)])
    func bytesBeatTheNamesOfTheServerAndTheAddress(head: [UInt8], type: AttachmentType) {
        #expect(AttachmentType(head: head, mimeType: "video/mpeg", address: URL(string: "https://a/b.webp")) == type)
    }

    @Test(
        arguments: [
            Array("RIFF\0\0\0\0WEBPVP8 ".utf8), movie("heic", "mif1"), movie("avif", "isom"), movie("qt  ", "mp42"),
            movie("3gp4", "isom"), movie("none"), Array("ftyp".utf8) + Array("ftyp".utf8),
            Array("\r\n <!DOCTYPE html>".utf8), [0xEF, 0xBB, 0xBF] + Array("<html>".utf8), Array("{\"error\":1}".utf8),
            Array("%PDF-1.7".utf8), Array("OggS".utf8), [0xFF, 0xF1, 0x50, 0x80], [],
        ] as [[UInt8]])
    func formatThatIOSDoesNotShowIsRefusedWhateverItsName(head: [UInt8]) {
        #expect(AttachmentType(head: head, mimeType: "image/jpeg", address: URL(string: "https://a/b.jpg")) == nil)
    }

    @Test(
        arguments: [
            ("image/png", "b.jpg", .png), ("IMAGE/GIF; charset=binary", "b", .gif), (nil, "b.JPEG", .jpeg),
            ("application/octet-stream", "b.mp3", .mp3), ("", "b.mp4?size=2", .mp4), ("image/webp", "b.jpg", nil),
            ("application/octet-stream", "b", nil), (nil, "b.exe", nil),
        ] as [(String?, String, AttachmentType?)])
    func namesDecideWhenTheBytesTellNothing(mimeType: String?, name: String, type: AttachmentType?) {
        let address = URL(string: "https://example.com/\(name)")
        #expect(AttachmentType(head: [1, 2, 3, 4], mimeType: mimeType, address: address) == type)
    }

    @Test func soundInAMovieFileIsSoundIfItsSenderSaysSo() {
        let head = Self.movie("isom", "mp42")
        #expect(AttachmentType(head: head, mimeType: "audio/mp4", address: nil) == .m4a)
        #expect(AttachmentType(head: head, mimeType: nil, address: nil, kind: .audio) == .m4a)
        #expect(AttachmentType(head: head, mimeType: nil, address: nil, kind: .image) == .mp4)
    }

    @Test func everyTypeHasAnExtensionOfItsOwnAndAppleLimit() {
        #expect(Set(AttachmentType.allCases.map(\.fileExtension)).count == AttachmentType.allCases.count)
        #expect(AttachmentType.jpeg.kind.maximumSize == 10_000_000)
        #expect(AttachmentType.mp3.kind.maximumSize == 5_000_000)
        #expect(AttachmentType.mp4.kind.maximumSize == 50_000_000)
    }

    @Test func noBytesCrashTheDetection() {
        var generator = SystemRandomNumberGenerator()
        let starts: [[UInt8]] = [[], [0, 0, 0, 24] + Array("ftyp".utf8), [0xFF], Array("RIFF".utf8), [0, 0, 1]]
        for round in 0..<5_000 {
            let tail = (0..<Int.random(in: 0..<70, using: &generator)).map { _ in UInt8.random(in: 0...255) }
            _ = AttachmentType.detect(starts[round % starts.count] + tail)
        }
        _ = AttachmentType.detect([0xFF, 0xFF, 0xFF, 0xFF] + Array("ftyp".utf8))
    }

    private static func movie(_ brands: String...) -> [UInt8] {
        let size = UInt8(12 + 4 * brands.count)
        let compatible = brands.dropFirst().joined()
        return [0, 0, 0, size] + Array("ftyp\(brands[0])\0\0\0\0\(compatible)".utf8) + [1, 2, 3, 4]
    }
}
