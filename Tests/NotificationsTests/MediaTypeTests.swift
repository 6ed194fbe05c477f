import JSON
import Notifications
import TestSupport
import Testing

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
        #expect(refusal.message.contains(name), "\(refusal.message)")
        #expect(refusal.message.contains("; "), "says what to do")
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
            #expect(error?.message.contains("\(limit / 1_000_000) MB, not \(limit + 1) bytes") == true)
        }
    }

    @Test func typesHaveDistinctHints() {
        #expect(Set(MediaType.allCases.map(\.typeHint)).count == MediaType.allCases.count)
        #expect(MediaType.m4a.mimeType == "audio/mp4")
        #expect(MediaType.mpeg2.fileExtension == "mpg")
        #expect(MediaType.avi.kind == .video)
    }
}
