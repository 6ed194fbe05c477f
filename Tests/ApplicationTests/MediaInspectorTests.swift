import Campaigns
import Crypto
import Notifications
import Testing

@testable import Application

@Suite struct MediaIntakeTests {
    @Test(arguments: [26, 4_095, 4_096, 4_097, 200_000])
    func anySplitGivesTheSameFinding(_ size: Int) throws {
        let file = MediaFile.gif(size)
        for _ in 0..<20 {
            var intake = MediaInspector(declaredSize: nil)
            for piece in file.inRandomPieces() { try intake.take(piece) }

            #expect(try intake.finish() == .init(type: .gif, size: size, hash: SHA256.hash(file)))
        }
    }

    @Test func limitOfItsKindIsExact() throws {
        var intake = MediaInspector(declaredSize: nil)
        try intake.take(MediaFile.gif(MediaType.gif.maximumSize))
        #expect(throws: Refusal.mediaTooLarge(.gif)) { try intake.take([0]) }
    }

    @Test func tooLargeDeclaredSizeIsRefusedAtTheFirstBytes() throws {
        var intake = MediaInspector(declaredSize: MediaType.gif.maximumSize + 1)

        #expect(throws: Refusal.mediaTooLarge(.gif)) { try intake.take(MediaFile.gif(MediaType.prefixSize)) }
    }

    @Test func emptyFileIsRefused() {
        let intake = MediaInspector(declaredSize: nil)

        #expect(throws: Refusal.self) { try intake.finish() }
    }
}

enum MediaFile {
    /// A GIF of so many bytes: one frame of a pixel, and what is behind its trailer.
    static func gif(_ size: Int) -> [UInt8] {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0x3B]
        let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] + frame
        return head + (0..<max(0, size - head.count)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }
}

extension [UInt8] {
    func inRandomPieces() -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            // Now and then a tiny one.
            let count = Int.random(in: 1...(Bool.random() ? 7 : 70_000))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// As a client that sends it in random pieces, and may break off.
    func sent(breakingOff error: (any Error)? = nil) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for piece in inRandomPieces() { continuation.yield(piece) }
            continuation.finish(throwing: error)
        }
    }
}
