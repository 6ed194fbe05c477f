public import JSON

/// Checks what a file declares about its pictures, while it is read: the beginning that tells the type does not have
/// all of it, and a phone needs memory for what is declared.
public struct MediaScan: Sendable {
    /// Of an animation. Longer ones are videos.
    public static let maximumFrames = 2_000
    /// Of all frames of an animation together.
    public static let maximumAnimationPixels = 1_000_000_000

    private var jpeg = JPEGSize()
    private var gif = GIFFrames()
    private var movie = MovieSize()

    public init() {}

    /// The next piece, which may be cut anywhere.
    public mutating func take(_ bytes: some Collection<UInt8>) {
        jpeg.take(bytes)
        gif.take(bytes)
        movie.take(bytes)
    }

    /// After the last piece. Throws if a phone can't show the file.
    public func check(_ type: MediaType) throws(InvalidValue) {
        switch type {
        case .jpeg:
            guard let size = jpeg.size, !jpeg.hasSeveralSizes else { throw Self.damagedImage }
            try size.check()
        case .gif: try checkGIF()
        case .mp4, .m4a: try checkMovie()
        case .png, .wav, .aiff, .aifc, .mp3, .mpeg, .mpeg2, .avi: break
        }
    }

    private func checkGIF() throws(InvalidValue) {
        guard gif.count > 0, !gif.hasEmptyFrame else { throw Self.damagedImage }
        try gif.widest?.check()
        try gif.largest?.check()
        guard gif.count <= Self.maximumFrames, gif.pixels <= Self.maximumAnimationPixels else {
            throw InvalidValue(
                "image-too-large",
                "has \(gif.count) frames of \(gif.pixels / 1_000_000) megapixels together, which is more than a phone can "
                    + "show; save it as MP4, or with at most \(Self.maximumFrames) frames and "
                    + "\(Self.maximumAnimationPixels / 1_000_000) megapixels")
        }
    }

    private func checkMovie() throws(InvalidValue) {
        guard movie.hasHeader else {
            throw InvalidValue(
                "media-damaged", "has no movie header (moov), so it can't be played; export it or upload it again")
        }
        for size in movie.sizes { try size.check(isVideo: true) }
        if movie.hasUnknownSize {
            throw InvalidValue("media-damaged", "has a video without a size, so it can't be played; export it again")
        }
    }

    private static let damagedImage = InvalidValue(
        "image-damaged", "is damaged: it does not say how large the image is; save the image again")
}
