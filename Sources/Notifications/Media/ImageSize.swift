public import JSON

/// The size that an image declares, in pixels. A phone needs four bytes for each pixel to show it, whatever the file's
/// size.
public struct ImageSize: Hashable, Sendable {
    /// Of the longer side.
    public static let maximumSide = 16_384
    /// Of the whole image.
    public static let maximumPixels = 50_000_000
    /// Of the longer side of a video: no phone decodes more than 8K.
    public static let maximumVideoSide = 8_192

    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    var pixels: Int { width * height }

    /// Throws if the image is too large to be shown.
    public func check(isVideo: Bool = false) throws(InvalidValue) {
        let maximumSide = isVideo ? Self.maximumVideoSide : Self.maximumSide
        guard width > 0, height > 0 else {
            throw InvalidValue("image-damaged", "has a size of 0 pixels; save the image again")
        }
        guard max(width, height) > maximumSide || pixels > Self.maximumPixels else { return }
        throw InvalidValue(
            "image-too-large",
            "has \(width) × \(height) pixels, which is more than a phone can show; save it with at most "
                + "\(maximumSide) pixels on each side and \(Self.maximumPixels / 1_000_000) megapixels")
    }
}

extension ImageSize {
    /// From the beginning of a file; nil for what is no image, or if the size comes later.
    init?(_ type: MediaType, _ bytes: MediaBytes) {
        switch type {
        case .png:
            // PNG §11.2.2. Xcode's own chunk, of four bytes, may come first.
            let start = bytes.has("CgBI", at: 12) ? 28 : 12
            guard bytes.has("IHDR", at: start) else { return nil }
            self.init(width: bytes.number(at: start + 4), height: bytes.number(at: start + 8))
        case .gif:
            // GIF89a §18, little-endian.
            guard let w0 = bytes[6], let w1 = bytes[7], let h0 = bytes[8], let h1 = bytes[9] else { return nil }
            self.init(width: Int(w0) | Int(w1) << 8, height: Int(h0) | Int(h1) << 8)
        case .avi:
            // The main header, if it comes first, with little-endian numbers.
            guard bytes.has("avih", at: 24) else { return nil }
            self.init(width: bytes.littleEndian(at: 64), height: bytes.littleEndian(at: 68))
        case .jpeg, .wav, .aiff, .aifc, .mp3, .m4a, .mp4, .mpeg, .mpeg2: return nil
        }
    }
}
