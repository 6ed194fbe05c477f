import Foundation

extension AttachmentType {
    /// The format of a file: by its bytes, then by the `Content-Type` of the answer, then by the address. Nil if iOS
    /// does not show it, or if nothing tells the format.
    ///
    /// `kind` is the payload's attachment type: an MPEG-4 file with sound alone often has the brand of a movie.
    public init?(head: [UInt8], mimeType: String?, address: URL?, kind: Kind? = nil) {
        let named = Self.named(mimeType: mimeType, address: address)
        switch Self.detect(head) {
        case .known(.mp4): self = named == .m4a || kind == .audio ? .m4a : .mp4
        case .known(let type): self = type
        case .unsupported: return nil
        case .unknown:
            guard let named else { return nil }
            self = named
        }
    }

    private static func named(mimeType: String?, address: URL?) -> AttachmentType? {
        let mimeType = mimeType.map { text in
            text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
        // Servers give these to files whose type they don't know. Any other name that iOS doesn't show is meant.
        if let mimeType, !["", "application/octet-stream", "binary/octet-stream"].contains(mimeType) {
            return types[mimeType]
        }
        return address.flatMap { extensions[$0.pathExtension.lowercased()] }
    }

    private static let types: [String: AttachmentType] = [
        "image/jpeg": .jpeg, "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/png": .png, "image/x-png": .png,
        "image/gif": .gif, "audio/wav": .wav, "audio/wave": .wav, "audio/x-wav": .wav, "audio/vnd.wave": .wav,
        "audio/aiff": .aiff, "audio/x-aiff": .aiff, "audio/mpeg": .mp3, "audio/mp3": .mp3, "audio/mpeg3": .mp3,
        "audio/mp4": .m4a, "audio/m4a": .m4a, "audio/x-m4a": .m4a, "video/mp4": .mp4, "video/x-m4v": .mp4,
        "video/mpeg": .mpeg, "video/mpg": .mpeg, "video/avi": .avi, "video/x-msvideo": .avi, "video/msvideo": .avi,
    ]

    private static let extensions: [String: AttachmentType] = [
        "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "gif": .gif, "wav": .wav, "aif": .aiff, "aiff": .aiff, "aifc": .aifc,
        "mp3": .mp3, "m4a": .m4a, "mp4": .mp4, "m4v": .mp4, "mpg": .mpeg, "mpeg": .mpeg, "m2v": .mpeg, "avi": .avi,
    ]
}
