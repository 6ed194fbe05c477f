/// The names of Belfry's members beside `aps`, as the app is configured on the server.
public struct PayloadKeys: Sendable, Equatable {
    /// The message id's key: the app's `message_id_key`.
    public var messageID: String
    /// The keys of an attachment's address, in the order in which they are tried.
    public var attachmentURLs: [String]
    /// The key of an attachment's type.
    public var attachmentType: String

    /// The server's standard. Change what the app's configuration on the server changes.
    public init(
        messageID: String = "i", attachmentURLs: [String] = ["attachment-url", "attachment-image"],
        attachmentType: String = "attachment-type"
    ) {
        self.messageID = messageID
        self.attachmentURLs = attachmentURLs
        self.attachmentType = attachmentType
    }
}
