import JSON
import TestSupport
import Testing

@testable import Notifications

@Suite struct MediaTypeTests {
    private func refusal(_ bytes: [UInt8]) -> InvalidValue? {
        do throws(InvalidValue) {
            _ = try MediaType.detect(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: MediaFiles.supported)
    func formatIsToldByContent(_ type: MediaType, _ bytes: [UInt8]) throws {
        #expect(try MediaType.detect(bytes) == type)
    }

    @Test(arguments: MediaFiles.unsupported)
    func whatIOSCannotShowIsNamed(_ name: String, _ bytes: [UInt8]) throws {
        let refusal = try #require(self.refusal(bytes))

        #expect(refusal.code == "media-type")
        #expect(refusal.message.description.contains(name), "\(refusal.message)")
        #expect(refusal.message.description.contains("; "), "says what to do")
    }

    private static func png(_ width: Int, _ height: Int, xcode: Bool = false) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
        let own: [UInt8] = xcode ? number(4) + Array("CgBI".utf8) + [0, 0, 0, 0, 1, 2, 3, 4] : []
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + own + number(13) + Array("IHDR".utf8) + number(width)
            + number(height) + [8, 2, 0, 0, 0]
    }

    private static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + [width, height].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0, 0, 0]
    }

    @Test(arguments: [
        (png(50_000, 50_000), false), (png(16_384, 3_051), true), (png(16_385, 1), false), (png(7_072, 7_072), false),
        (png(7_071, 7_071), true), (png(50_000, 50_000, xcode: true), false), (png(100, 100, xcode: true), true),
        (png(Int(UInt32.max), Int(UInt32.max)), false), (gif(60_000, 60_000), false), (gif(8_000, 6_000), true),
    ])
    func imageWithTooManyPixelsIsRefused(_ bytes: [UInt8], _ isAccepted: Bool) {
        #expect(refusal(bytes)?.code == (isAccepted ? nil : "image-too-large"))
    }

    @Test(arguments: [png(0, 10), png(10, 0), gif(0, 10), gif(10, 0)])
    func imageWithoutPixelsIsRefused(_ bytes: [UInt8]) {
        #expect(refusal(bytes)?.code == "image-damaged")
    }

    /// A profile of any length may precede the size, and pieces are cut anywhere.
    @Test(arguments: [1, 7, 4_096])
    func sizeOfAJPEGIsFoundBehindOtherSegments(_ piece: Int) {
        let profile: [UInt8] = [0xFF, 0xE2, 0xFF, 0xFF] + [UInt8](repeating: 0xC0, count: 65_533)
        let table: [UInt8] = [0xFF, 0xFF, 0xC4, 0, 4, 1, 2]
        let file = [0xFF, 0xD8] + profile + profile + table + [0xFF, 0xC2, 0, 17, 8, 0xEA, 0x60, 0xC3, 0x50, 3]
        var scanner = JPEGSize()
        for start in stride(from: 0, to: file.count, by: piece) {
            scanner.take(file[start..<min(start + piece, file.count)])
        }
        #expect(scanner.size == ImageSize(width: 50_000, height: 60_000))
        var damaged = JPEGSize()
        damaged.take([0xFF, 0xD8, 0x00, 0xFF, 0xC0, 0, 17, 8, 0, 1, 0, 1])
        #expect(damaged.size == nil)
    }

    @Test func everyTypeIsDetected() {
        #expect(Set(MediaFiles.supported.map(\.0)) == Set(MediaType.allCases))
    }

    /// A truncated file is detected as its type or rejected, never as another type.
    @Test func truncatedFilesAreNeverAnotherType() {
        for (type, bytes) in MediaFiles.supported {
            for count in 0..<bytes.count {
                let found = try? MediaType.detect(Array(bytes.prefix(count)))
                // The extension that makes MPEG-2 of MPEG comes late.
                #expect(found == nil || found == type || (found == .mpeg && type == .mpeg2), "\(type), \(count) bytes")
            }
        }
        for (name, bytes) in MediaFiles.unsupported {
            for count in 0..<bytes.count {
                let found = try? MediaType.detect(Array(bytes.prefix(count)))
                #expect(found == nil || name == "FLAC" || name == "AAC" && found == .mp3, "\(name), \(count) bytes")
            }
        }
    }

    @Test(arguments: 0..<4)
    func randomBytesAreAlmostNeverMedia(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...600, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            if (try? MediaType.detect(bytes)) != nil { found += 1 }
        }
        #expect(found == 0)
    }

    /// Headers are kept and the rest is scrambled: every length and size in it lies.
    @Test(arguments: 0..<4)
    func hostileBytesAreSurvived(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for (_, bytes) in MediaFiles.supported {
            for _ in 0..<50 {
                var bytes = bytes
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8(
                        truncatingIfNeeded: generator.next())
                }
                _ = try? MediaType.detect(bytes)
            }
        }
    }

    @Test func longFilesAreJudgedByTheirPrefix() throws {
        let zeros = [UInt8](repeating: 0, count: 2 * MediaType.prefixSize)

        #expect(try MediaType.detect(MediaFiles.sequenceHeader + zeros + [1, 0xB5]) == .mpeg)
        #expect(try MediaType.detect(MediaFiles.mp3Frame + MediaFiles.mp3Frame + zeros) == .mp3)
        #expect(refusal(MediaFiles.mp3Frame + zeros)?.code == "media-type")
    }

    @Test(arguments: [(MediaKind.image, 10_000_000), (.audio, 5_000_000), (.video, 50_000_000)])
    func sizesHaveLimits(_ kind: MediaKind, _ limit: Int) throws {
        for type in MediaType.allCases where type.kind == kind {
            try type.check(size: limit)
            let error = #expect(throws: InvalidValue.self) { try type.check(size: limit + 1) }
            #expect(error?.code == "media-too-large")
            #expect(error?.message.description.contains("\(limit / 1_000_000) MB, not \(limit + 1) bytes") == true)
        }
    }

    @Test func typesHaveDistinctHints() {
        #expect(Set(MediaType.allCases.map(\.typeHint)).count == MediaType.allCases.count)
        #expect(MediaType.m4a.mimeType == "audio/mp4")
        #expect(MediaType.mpeg2.fileExtension == "mpg")
        #expect(MediaType.avi.kind == .video)
    }
}
