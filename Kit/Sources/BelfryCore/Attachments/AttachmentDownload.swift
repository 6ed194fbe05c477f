import Foundation

/// Decides whether a download goes on, from its answer and its bytes. It keeps the first bytes alone: a service
/// extension has 24 MB of memory, on old phones 12.
struct AttachmentDownload: Sendable {
    /// Why the notification is shown without the file.
    enum Failure: Error, Sendable, Equatable {
        /// The server answered with another status than 200.
        case status(Int)
        /// iOS does not show the format, or nothing tells it.
        case unsupported
        /// In bytes.
        case tooLarge(limit: Int)
        /// The connection, the disk, or the time that iOS gives the extension.
        case interrupted
    }

    /// The next step of the downloader.
    enum Action: Sendable, Equatable {
        /// Takes more bytes.
        case proceed
        /// Cancel the request, and remove the file.
        case cancel(Failure)
    }

    private let kind: AttachmentType.Kind?
    private var address: URL
    private var mimeType: String?
    private var announced = 0
    private var received = 0
    private var head: [UInt8] = []
    private var type: AttachmentType?
    private var failure: Failure?

    /// For one push's file. Nothing is downloaded here: tell the value what arrives.
    init(_ attachment: Push.Attachment) {
        kind = attachment.type.flatMap { AttachmentType.Kind(rawValue: $0.lowercased()) }
        address = attachment.url
    }

    /// The answer's headers. `address` is the one after redirects; `contentLength` is negative if it is not known.
    mutating func answered(status: Int, mimeType: String?, contentLength: Int64, address: URL?) -> Action {
        self.mimeType = mimeType
        if let address, !address.pathExtension.isEmpty { self.address = address }
        announced = Int(clamping: contentLength)
        guard status == 200 else { return fail(.status(status)) }
        // The type is not known yet, so this is the limit of all types.
        return checkSize(AttachmentType.maximumSize)
    }

    /// The next bytes. A server may announce too little, or nothing, so they are counted, too.
    mutating func received(_ bytes: some Collection<UInt8>) -> Action {
        guard failure == nil else { return .cancel(failure ?? .interrupted) }
        received += bytes.count
        guard type == nil else { return checkSize(type?.kind.maximumSize ?? 0) }
        head += bytes.prefix(AttachmentType.headSize - head.count)
        return head.count < AttachmentType.headSize ? .proceed : detect()
    }

    /// The end of the answer: the file's type, which gives the file its name.
    mutating func ended() -> Result<AttachmentType, Failure> {
        if type == nil, failure == nil { _ = detect() }
        if let failure { return .failure(failure) }
        return type.map { .success($0) } ?? .failure(.unsupported)
    }

    private mutating func detect() -> Action {
        type = AttachmentType(head: head, mimeType: mimeType, address: address, kind: kind)
        guard let type else { return fail(.unsupported) }
        return checkSize(type.kind.maximumSize)
    }

    private mutating func checkSize(_ limit: Int) -> Action {
        max(announced, received) > limit ? fail(.tooLarge(limit: limit)) : .proceed
    }

    private mutating func fail(_ reason: Failure) -> Action {
        failure = reason
        return .cancel(reason)
    }
}

extension AttachmentDownload.Failure {
    /// For developers. The address stays out: it may name a person.
    var diagnostic: Diagnostic {
        let message =
            switch self {
            case .status(let status): "The server of the file answered with status \(status)."
            case .unsupported:
                "The file is in no format that iOS shows in a notification. Use JPEG, PNG, GIF, MP4 or MP3."
            case .tooLarge(let limit): "The file is larger than \(limit / 1_000_000) MB, which iOS does not show."
            case .interrupted: "The file did not arrive in time, or could not be stored."
            }
        return Diagnostic(.attachment, "attachment-not-shown", message)
    }
}
