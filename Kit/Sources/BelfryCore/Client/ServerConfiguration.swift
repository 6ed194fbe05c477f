import Foundation

/// The answer of `GET …/client-configuration`: what an app needs to read payloads, and whether its copies are the newest.
struct ServerConfiguration: ServerValue {
    /// Texts that change with each edit on the server.
    struct Revisions: Sendable {
        /// Changes with any category of the app.
        let categories: String
        /// Changes with any local plan of the app.
        let localPlans: String
    }

    let messageIDKey: String
    let attachmentURLKey: String
    let attachmentTypeKey: String?
    /// By which the app sees what it has to fetch.
    let revisions: Revisions
    let json: JSONValue

    init?(_ json: JSONValue) {
        guard let messageIDKey = json["message_id_key"]?.string,
            let attachmentURLKey = json["attachment_url_key"]?.string,
            let categories = json["revisions"]?["categories"]?.string,
            let localPlans = json["revisions"]?["local_plans"]?.string
        else { return nil }
        self.messageIDKey = messageIDKey
        self.attachmentURLKey = attachmentURLKey
        attachmentTypeKey = json["attachment_type_key"]?.string
        revisions = Revisions(categories: categories, localPlans: localPlans)
        self.json = json
    }

    /// The names of Belfry's members in a payload. Pushes that were sent before the names changed are read as well.
    var payloadKeys: PayloadKeys {
        let standard = PayloadKeys()
        return PayloadKeys(
            messageID: messageIDKey,
            attachmentURLs: [attachmentURLKey] + standard.attachmentURLs.filter { $0 != attachmentURLKey },
            attachmentType: attachmentTypeKey ?? standard.attachmentType)
    }
}

/// The server's configuration in its file, from any thread. The app writes it, and its extensions read it.
public final class ServerConfigurationFile: Sendable {
    private let stored: StoredValue<ServerCopy<ServerConfiguration>>
    private let known = Guarded<ServerCopy<ServerConfiguration>?>(nil)

    /// Reads nothing yet.
    public init(in folder: URL) { stored = StoredValue("configuration", in: folder, isProtected: false) }

    /// The keys by which payloads are read; the standard ones until the server was reached once.
    public var payloadKeys: PayloadKeys { copy.value?.payloadKeys ?? PayloadKeys() }

    var copy: ServerCopy<ServerConfiguration> {
        known.withLock { known in
            if let known { return known }
            let read = stored.value() ?? ServerCopy()
            known = read
            return read
        }
    }

    func write(_ copy: ServerCopy<ServerConfiguration>) throws {
        known.withLock { $0 = copy }
        try stored.write(copy)
    }
}
