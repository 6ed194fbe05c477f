public import JSON

/// The kinds of attachments that a notification can show or play (Apple, "UNNotificationAttachment").
public enum MediaKind: String, Sendable, CaseIterable {
    case image
    case audio
    case video

    /// In bytes. Apple's "10 MB" is read as 10,000,000 bytes, the smaller of both meanings.
    public var maximumSize: Int {
        switch self {
        case .image: 10_000_000
        case .audio: 5_000_000
        case .video: 50_000_000
        }
    }
}

/// A file format that iOS accepts as an attachment.
public enum MediaType: String, Sendable, CaseIterable {
    case jpeg
    case png
    case gif
    case wav
    case aiff
    case aifc
    case mp3
    case m4a
    case mp4
    case mpeg
    case mpeg2
    case avi

    public var kind: MediaKind {
        switch self {
        case .jpeg, .png, .gif: .image
        case .wav, .aiff, .aifc, .mp3, .m4a: .audio
        case .mp4, .mpeg, .mpeg2, .avi: .video
        }
    }

    public var mimeType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .wav: "audio/wav"
        case .aiff, .aifc: "audio/aiff"
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .mp4: "video/mp4"
        case .mpeg, .mpeg2: "video/mpeg"
        case .avi: "video/x-msvideo"
        }
    }

    /// Apple's uniform type identifier, for `UNNotificationAttachmentOptionsTypeHintKey`.
    public var typeHint: String {
        switch self {
        case .jpeg: "public.jpeg"
        case .png: "public.png"
        case .gif: "com.compuserve.gif"
        case .wav: "com.microsoft.waveform-audio"
        case .aiff: "public.aiff-audio"
        case .aifc: "public.aifc-audio"
        case .mp3: "public.mp3"
        case .m4a: "public.mpeg-4-audio"
        case .mp4: "public.mpeg-4"
        case .mpeg: "public.mpeg"
        case .mpeg2: "public.mpeg-2-video"
        case .avi: "public.avi"
        }
    }

    /// Without the dot. iOS uses it if there is no type hint.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .mpeg, .mpeg2: "mpg"
        default: rawValue
        }
    }

    public var maximumSize: Int { kind.maximumSize }

    /// Throws if a file of this size in bytes is too large for iOS to show.
    public func check(size: Int) throws(InvalidValue) {
        guard size > maximumSize else { return }
        throw InvalidValue(
            "media-too-large",
            "must be at most \(maximumSize / 1_000_000) MB, not \(size) bytes: "
                + "iOS shows no larger \(kind.rawValue) files")
    }
}
