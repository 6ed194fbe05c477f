/// A file format that iOS shows in a notification, as Apple's page `UNNotificationAttachment` lists them. HEIC, WebP and
/// QuickTime are not among them.
public enum AttachmentType: String, Sendable, CaseIterable {
    /// Images that iOS shows. It shows no WebP.
    case jpeg, png, gif
    /// Sounds that iOS plays.
    case wav, aiff, aifc, mp3, m4a
    /// Films that iOS plays.
    case mp4, mpeg, avi

    /// The way in which a notification shows a file. The raw values are those of the payload's attachment type.
    public enum Kind: String, Sendable {
        /// The kind decides Apple's limit of the size.
        case image, audio, video

        /// In bytes. Apple's "10 MB" is read as 10,000,000 bytes, the smaller of both meanings.
        public var maximumSize: Int {
            switch self {
            case .image: 10_000_000
            case .audio: 5_000_000
            case .video: 50_000_000
            }
        }
    }

    /// The largest file that can be shown, in bytes.
    public static let maximumSize = Kind.video.maximumSize

    /// Image, sound or film.
    public var kind: Kind {
        switch self {
        case .jpeg, .png, .gif: .image
        case .wav, .aiff, .aifc, .mp3, .m4a: .audio
        case .mp4, .mpeg, .avi: .video
        }
    }

    /// Without the dot. The file needs it: `UNNotificationAttachment` fails without one, also with a type hint.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .mpeg: "mpg"
        default: rawValue
        }
    }
}
