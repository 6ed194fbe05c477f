/// Finds the sizes of a GIF's frames while it is read (GIF89a, §17 to §27). Each may differ from the screen's, and all
/// are decoded to show the animation.
struct GIFFrames: Sendable {
    /// The largest frame by its side, and the one by its pixels.
    private(set) var widest: ImageSize?
    private(set) var largest: ImageSize?
    private(set) var count = 0
    private(set) var hasEmptyFrame = false
    /// Of all frames together.
    private(set) var pixels = 0

    private enum Part {
        /// Signature, screen size, flags, background, aspect ratio.
        case header
        case block
        case extensionLabel
        /// Position, size, flags.
        case frame
        /// The size of the codes, before a frame's data.
        case codeSize
        /// The length of the next part of data; 0 ends them.
        case data
        /// After the trailer, or the file is damaged.
        case end
    }

    private var part = Part.header
    private var skipped = 0
    private var bytes: [UInt8] = []

    /// The next piece, which may be cut anywhere.
    mutating func take(_ piece: some Collection<UInt8>) {
        var rest = piece[...]
        while part != .end, let byte = rest.first {
            if skipped > 0 {
                let count = min(skipped, rest.count)
                rest = rest.dropFirst(count)
                skipped -= count
            } else {
                rest = rest.dropFirst()
                take(byte)
            }
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch part {
        case .header:
            bytes.append(byte)
            guard bytes.count == 13 else { return }
            part = bytes.starts(with: "GIF8".utf8) ? .block : .end
            skipTable(bytes[10])
        case .block:
            switch byte {
            case 0x21: part = .extensionLabel
            case 0x2C: part = .frame
            default: part = .end
            }
            bytes = []
        case .extensionLabel: part = .data
        case .frame:
            bytes.append(byte)
            guard bytes.count == 9 else { return }
            add(ImageSize(width: number(at: 4), height: number(at: 6)))
            skipTable(bytes[8])
            part = .codeSize
        case .codeSize: part = .data
        case .data:
            skipped = Int(byte)
            if byte == 0 { part = .block }
        case .end: break
        }
    }

    /// The colours, if the flags say that there are any.
    private mutating func skipTable(_ flags: UInt8) {
        if flags & 0x80 != 0 { skipped = 3 << (Int(flags & 7) + 1) }
    }

    private mutating func add(_ size: ImageSize) {
        count += 1
        if size.pixels == 0 { hasEmptyFrame = true }
        pixels += size.pixels
        if max(size.width, size.height) > widest.map({ max($0.width, $0.height) }) ?? 0 { widest = size }
        if size.pixels > largest?.pixels ?? 0 { largest = size }
    }

    private func number(at index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
}
