/// Finds the sizes that the tracks of an MP4 file declare, while it is read (ISO 14496-12): a header at the end of the
/// file is as good as one at the beginning.
struct MovieSize: Sendable {
    /// Whether there is a header. Nothing can be played without it.
    private(set) var hasHeader = false
    /// Of all tracks, as the header and the encoded pictures have it.
    private(set) var sizes: [ImageSize] = []
    /// Whether a track of pictures has no size.
    private(set) var hasUnknownSize = false

    /// Tracks beyond these are not looked at.
    private static let maximumSizes = 256
    /// In bytes, of a box whose content is read. A track has few descriptions of its samples.
    private static let maximumContent = 4_096
    /// Boxes whose content is boxes.
    private static let containers: Set<String> = ["moov", "trak", "mdia", "minf", "stbl"]
    private static let read: Set<String> = ["tkhd", "hdlr", "stsd"]

    private var skipped = 0
    /// A box's header, or its content while `wanted` is not 0.
    private var bytes: [UInt8] = []
    private var box = ""
    private var wanted = 0
    private var skippedAfter = 0
    private var isVideo = false
    private var isOver = false

    /// The next piece, which may be cut anywhere.
    mutating func take(_ piece: some Collection<UInt8>) {
        var rest = piece[...]
        while !isOver, !rest.isEmpty {
            if skipped > 0 {
                let count = min(skipped, rest.count)
                rest = rest.dropFirst(count)
                skipped -= count
            } else if wanted > 0 {
                let count = min(wanted - bytes.count, rest.count)
                bytes += rest.prefix(count)
                rest = rest.dropFirst(count)
                if bytes.count == wanted { endContent() }
            } else {
                bytes.append(rest.removeFirst())
                readHeader()
            }
        }
    }

    private mutating func readHeader() {
        guard bytes.count >= 8 else { return }
        var (header, size) = (8, number(at: 0, count: 4))
        if size == 1 {
            // A size of eight bytes follows.
            guard bytes.count == 16 else { return }
            (header, size) = (16, number(at: 8, count: 8))
        }
        // 0: up to the end of the file.
        guard size >= header else { return isOver = true }
        box = String(decoding: bytes[4..<8], as: UTF8.self)
        let content = size - header
        bytes = []
        if Self.containers.contains(box) {
            if box == "moov" { hasHeader = true }
            if box == "trak" { isVideo = false }
        } else if Self.read.contains(box), hasHeader, content > 0 {
            wanted = min(content, Self.maximumContent)
            skippedAfter = content - wanted
        } else {
            skipped = content
        }
    }

    private mutating func endContent() {
        switch box {
        case "tkhd":
            // Sixteen bits of pixels and as many of fractions, at the end.
            if bytes.count >= 8 {
                add(number(at: bytes.count - 8, count: 2), number(at: bytes.count - 4, count: 2))
            }
        case "hdlr": isVideo = bytes.count >= 12 && bytes[8..<12].elementsEqual("vide".utf8)
        default: if isVideo { readDescriptions() }
        }
        (bytes, wanted, skipped) = ([], 0, skippedAfter)
    }

    /// The descriptions of encoded pictures: size and format of each, and its width at 32.
    private mutating func readDescriptions() {
        var start = 8
        var hasSize = false
        while start + 36 <= bytes.count {
            let (width, height) = (number(at: start + 32, count: 2), number(at: start + 34, count: 2))
            if width > 0, height > 0 { hasSize = true }
            add(width, height)
            let size = number(at: start, count: 4)
            guard size >= 36 else { break }
            start += size
        }
        if !hasSize { hasUnknownSize = true }
    }

    /// A track of sound has a size of 0.
    private mutating func add(_ width: Int, _ height: Int) {
        guard width > 0 || height > 0, sizes.count < Self.maximumSizes else { return }
        sizes.append(ImageSize(width: width, height: height))
    }

    /// Big-endian; too large a number is a size that no file has.
    private func number(at index: Int, count: Int) -> Int {
        bytes[index..<index + count].reduce(0) { $0 > Int.max >> 8 ? Int.max : $0 << 8 | Int($1) }
    }
}
