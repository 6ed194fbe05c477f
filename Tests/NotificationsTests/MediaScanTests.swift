import JSON
import Notifications
import Testing

/// What a file declares about its pictures behind its beginning.
struct MediaScanTests {
    private static func code(_ bytes: [UInt8], _ type: MediaType, piece: Int = 4_096) -> String? {
        var scan = MediaScan()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            scan.take(bytes[start..<min(start + piece, bytes.count)])
        }
        do throws(InvalidValue) {
            try scan.check(type)
            return nil
        } catch {
            return error.code
        }
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    // MARK: GIF

    private static func gif(_ frames: [(width: Int, height: Int)]) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        // A screen of 10 × 10 with two colours, and a comment.
        var file = Array("GIF89a".utf8) + little(10) + little(10) + [0x80, 0, 0] + [UInt8](repeating: 0, count: 6)
        file += [0x21, 0xFE, 3] + Array("a,!".utf8) + [0]
        for frame in frames {
            // A delay, and a frame with colours of its own and one part of data.
            file += [0x21, 0xF9, 4, 0, 5, 0, 0, 0]
            file += [0x2C, 0, 0, 0, 0] + little(frame.width) + little(frame.height) + [0x81]
            file += [UInt8](repeating: 0x2C, count: 12) + [2, 2, 0x2C, 0x3B, 0]
        }
        return file + [0x3B] + [UInt8](repeating: 0x2C, count: 40)
    }

    @Test(arguments: [1, 7, 4_096])
    func framesOfAGIFAreMeasured(_ piece: Int) {
        #expect(Self.code(Self.gif([(10, 10), (4, 4)]), .gif, piece: piece) == nil)
        #expect(Self.code(Self.gif([(10, 10), (50_000, 50_000)]), .gif, piece: piece) == "image-too-large")
        #expect(Self.code(Self.gif([(20_000, 1), (7_000, 7_000)]), .gif, piece: piece) == "image-too-large")
        #expect(Self.code(Self.gif([]), .gif, piece: piece) == "image-damaged")
        #expect(Self.code(Self.gif([(10, 10), (0, 5)]), .gif, piece: piece) == "image-damaged")
    }

    @Test func animationHasALimitOfFramesAndOfPixels() {
        let most = Array(repeating: (width: 100, height: 100), count: MediaScan.maximumFrames)
        #expect(Self.code(Self.gif(most), .gif) == nil)
        #expect(Self.code(Self.gif(most + [(1, 1)]), .gif) == "image-too-large")
        #expect(Self.code(Self.gif(Array(repeating: (width: 2_000, height: 2_000), count: 250)), .gif) == nil)
        #expect(
            Self.code(Self.gif(Array(repeating: (width: 2_000, height: 2_000), count: 251)), .gif) == "image-too-large")
    }

    // MARK: JPEG

    private static func jpeg(_ sizes: [(width: Int, height: Int)]) -> [UInt8] {
        let frames = sizes.flatMap { size -> [UInt8] in
            [0xFF, 0xC0, 0, 11, 8] + number(size.height, 2) + number(size.width, 2) + [1, 1, 0x11, 0]
        }
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2]
        return head + frames + [0xFF, 0xDA, 0, 2, 0xFF, 0xC0, 0xFF, 0xD9]
    }

    @Test(arguments: [1, 4_096])
    func jpegHasOneSize(_ piece: Int) {
        #expect(Self.code(Self.jpeg([(100, 50)]), .jpeg, piece: piece) == nil)
        #expect(Self.code(Self.jpeg([]), .jpeg, piece: piece) == "image-damaged")
        #expect(Self.code(Self.jpeg([(1, 1), (50_000, 50_000)]), .jpeg, piece: piece) == "image-damaged")
        #expect(Self.code(Self.jpeg([(50_000, 50_000)]), .jpeg, piece: piece) == "image-too-large")
        #expect(Self.code(Self.jpeg([(100, 0)]), .jpeg, piece: piece) == "image-damaged")
    }

    // MARK: MP4

    private static func box(_ name: String, _ content: [UInt8], isLong: Bool = false) -> [UInt8] {
        isLong
            ? number(1, 4) + Array(name.utf8) + number(content.count + 16, 8) + content
            : number(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// A track of a handler, with the size of its header and that of its pictures.
    private static func track(
        _ handler: String = "vide", header: (Int, Int) = (0, 0), pictures: (Int, Int) = (0, 0)
    ) -> [UInt8] {
        let sizes = number(header.0 << 16, 4) + number(header.1 << 16, 4)
        let entry = box(
            "avc1", [UInt8](repeating: 0, count: 24) + number(pictures.0, 2) + number(pictures.1, 2) + [0, 72])
        let table = box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry) + box("stts", [9, 9]))
        return box(
            "trak",
            box("tkhd", [UInt8](repeating: 0, count: 76) + sizes)
                + box("mdia", box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(handler.utf8) + [0]) + box("minf", table)))
    }

    private static func movie(_ tracks: [UInt8], headerIsLast: Bool = false) -> [UInt8] {
        let (header, data) = (
            box("moov", box("mvhd", [0, 1]) + tracks), box("mdat", Array("moovtkhd".utf8), isLong: true)
        )
        return box("ftyp", Array("isom".utf8)) + (headerIsLast ? data + header : header + data)
    }

    @Test(arguments: [1, 13, 4_096])
    func tracksOfAMovieAreMeasured(_ piece: Int) {
        let sound = Self.track("soun")
        for headerIsLast in [false, true] {
            func code(_ tracks: [UInt8]) -> String? {
                Self.code(Self.movie(tracks, headerIsLast: headerIsLast), .mp4, piece: piece)
            }
            #expect(code(sound + Self.track(header: (1_920, 1_080), pictures: (1_920, 1_080))) == nil)
            #expect(code(sound) == nil)
            #expect(code(sound + Self.track(header: (50_000, 50_000), pictures: (1_920, 1_080))) == "image-too-large")
            #expect(code(Self.track(header: (10, 10), pictures: (50_000, 50_000))) == "image-too-large")
            #expect(code(Self.track(header: (8_193, 10), pictures: (10, 10))) == "image-too-large")
            #expect(code(Self.track()) == "media-damaged")
        }
        #expect(Self.code(Self.box("ftyp", []) + Self.box("mdat", [1, 2]), .mp4, piece: piece) == "media-damaged")
        #expect(Self.code(Self.movie(sound), .m4a, piece: piece) == nil)
        #expect(
            Self.code(Self.box("ftyp", []) + [0, 0, 0, 3] + Array("moov".utf8), .m4a, piece: piece) == "media-damaged")
    }

    @Test func sizeOfAnAVIIsInItsMainHeader() {
        func little(_ value: Int) -> [UInt8] { Self.number(value, 4).reversed() }
        func avi(_ width: Int) -> [UInt8] {
            Array("RIFF".utf8) + little(100) + Array("AVI LIST".utf8) + little(80) + Array("hdrlavih".utf8) + little(56)
                + [UInt8](repeating: 0, count: 32) + little(width) + little(480)
        }
        #expect((try? MediaType.detect(avi(640))) == .avi)
        #expect(throws: InvalidValue.self) { try MediaType.detect(avi(50_000)) }
        #expect(throws: InvalidValue.self) { try MediaType.detect(avi(0)) }
    }

    /// Whatever the bytes are, nothing traps.
    @Test func anyBytesAreTaken() {
        var bytes = Self.movie(Self.track(header: (9, 9), pictures: (9, 9))) + Self.gif([(3, 3)]) + Self.jpeg([(3, 3)])
        for _ in 0..<300 {
            bytes[Int.random(in: 0..<bytes.count)] = [0, 1, 8, 0xFF, UInt8.random(in: 0...255)].randomElement() ?? 0
            for type in [MediaType.mp4, .gif, .jpeg] { _ = Self.code(bytes, type, piece: 31) }
            _ = Self.code(Array(bytes.dropFirst(Int.random(in: 0..<bytes.count))), .gif)
        }
    }
}
