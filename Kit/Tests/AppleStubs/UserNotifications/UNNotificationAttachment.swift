import Foundation

/// Fails like Apple's when there is no file, or when the file's name has no extension that it knows. Apple's also reads
/// the file; this one does not.
open class UNNotificationAttachment: NSObject {
    public let identifier: String
    public let url: URL
    public let type: String

    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        let types = [
            "jpg": "public.jpeg", "png": "public.png", "gif": "com.compuserve.gif", "mp3": "public.mp3",
            "wav": "com.microsoft.waveform-audio", "aiff": "public.aiff-audio", "m4a": "public.mpeg-4-audio",
            "mpg": "public.mpeg", "mp4": "public.mpeg-4", "avi": "public.avi",
        ]
        guard FileManager.default.fileExists(atPath: url.path) else { throw UNError(.attachmentInvalidURL) }
        guard let type = types[url.pathExtension] else { throw UNError(.attachmentUnrecognizedType) }
        self.init(identifier: identifier, url: url, type: type)
    }

    /// Stub only: a file that doesn't exist.
    public init(identifier: String, url: URL, type: String) {
        self.identifier = identifier
        self.url = url
        self.type = type
    }
}

public struct UNError: Error, Equatable, Sendable {
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType
        case attachmentInvalidFileSize
        case attachmentNotInDataStore
        case attachmentMoveIntoDataStoreFailed
        case attachmentCorrupt
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}
