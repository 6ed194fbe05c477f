import Foundation

/// The answer of `GET …/client-configuration`: what an app needs to read payloads, and whether its copies are the newest.
public struct ServerConfiguration: Codable, Sendable, Equatable {
    /// Texts that change with each edit on the server.
    public struct Revisions: Codable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey {
            case categories
            case localPlans = "local_plans"
        }

        /// Changes with any category of the app.
        public let categories: String
        /// Changes with any local plan of the app.
        public let localPlans: String
    }

    enum CodingKeys: String, CodingKey {
        case messageIDKey = "message_id_key"
        case attachmentURLKey = "attachment_url_key"
        case attachmentTypeKey = "attachment_type_key"
        case revisions
    }

    let messageIDKey: String
    let attachmentURLKey: String
    let attachmentTypeKey: String?
    /// By which the app sees what it has to fetch.
    public let revisions: Revisions

    /// The names of Belfry's members in a payload. Pushes that were sent before the names changed are read as well.
    public var payloadKeys: PayloadKeys {
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
