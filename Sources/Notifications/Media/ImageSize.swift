public import JSON

/// The size that an image declares, in pixels. A phone needs four bytes for each pixel to show it, whatever the file's
/// size.
public struct ImageSize: Hashable, Sendable {
    /// Of the longer side.
    public static let maximumSide = 16_384
    /// Of the whole image.
    public static let maximumPixels = 50_000_000

    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Throws if the image is too large to be shown.
    public func check() throws(InvalidValue) {
        guard width > 0, height > 0 else {
            throw InvalidValue("image-damaged", "has a size of 0 pixels; save the image again")
        }
        guard max(width, height) > Self.maximumSide || width * height > Self.maximumPixels else { return }
        throw InvalidValue(
            "image-too-large",
            "has \(width) × \(height) pixels, which is more than a phone can show; save it with at most "
                + "\(Self.maximumSide) pixels on each side and \(Self.maximumPixels / 1_000_000) megapixels")
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
        case .jpeg, .wav, .aiff, .aifc, .mp3, .m4a, .mp4, .mpeg, .mpeg2, .avi: return nil
        }
    }
}
