/// Finds the size of a JPEG image while it is read, since previews and profiles of any length can precede it (ITU-T
/// T.81, annex B).
struct JPEGSize: Sendable {
    /// Bytes of a frame header up to the size: marker, length, precision, height, width.
    private static let frameHeaderLength = 9

    private(set) var size: ImageSize?
    /// Whether there are several, of which programs may take any.
    private(set) var hasSeveralSizes = false
    /// Bytes that are passed over; at the beginning the start marker.
    private var skipped = 2
    private var header: [UInt8] = []
    /// The image's data has begun, or the file is damaged.
    private var isOver = false

    /// The next piece, which may be cut anywhere.
    mutating func take(_ bytes: some Collection<UInt8>) {
        var rest = bytes[...]
        while let byte = rest.first, !isOver {
            if skipped > 0 {
                let count = min(skipped, rest.count)
                rest = rest.dropFirst(count)
                skipped -= count
            } else {
                header.append(byte)
                rest = rest.dropFirst()
                readHeader()
            }
        }
    }

    private mutating func readHeader() {
        switch header.count {
        case 1: isOver = header[0] != 0xFF
        case 2:
            switch header[1] {
            // Fill bytes may precede a marker.
            case 0xFF: header.removeLast()
            case 0x01, 0xD0...0xD8: header = []
            // The end, or the data.
            case 0xD9, 0xDA, 0x00: isOver = true
            default: break
            }
        case 4 where !isFrame:
            let length = number(at: 2)
            guard length >= 2 else { return isOver = true }
            skipped = length - 2
            header = []
        case Self.frameHeaderLength:
            hasSeveralSizes = size != nil
            size = ImageSize(width: number(at: 7), height: number(at: 5))
            skipped = max(0, number(at: 2) - (Self.frameHeaderLength - 2))
            header = []
        default: break
        }
    }

    /// Start of frame: the markers C0 to CF without the tables C4 and CC, and the reserved C8.
    private var isFrame: Bool {
        switch header[1] {
        case 0xC4, 0xC8, 0xCC: false
        case 0xC0...0xCF: true
        default: false
        }
    }

    private func number(at index: Int) -> Int { Int(header[index]) << 8 | Int(header[index + 1]) }
}
