public import Campaigns
import Crypto
public import Notifications
public import Postgres

/// A media file as it is stored, without its content.
public struct MediaRecord: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200

    /// The place of the content.
    public enum Storage: String, Hashable, Sendable {
        case database, directory, external
    }

    public let id: Media.ID
    public let app: App.ID
    public let createdAt: Timestamp
    /// The name given by people.
    public let name: String
    /// Nil for an external file that could not be examined.
    public let type: MediaType?
    /// In bytes; nil if unknown.
    public let size: Int?
    /// The capability to fetch the content.
    public let capability: MediaCapability
    /// SHA-256 of the content; nil for an external file.
    public let hash: [UInt8]?
    public let storage: Storage
    public let externalURL: String?

    /// The last part of its URL: letters, digits, hyphens and a dot. iOS uses the extension of the file.
    public var fileName: String {
        let end = type.map { ".\($0.fileExtension)" } ?? ""
        var stem = name.lowercased()[...]
        // The part after the last dot is the old extension, unless the dot is in a folder name.
        if !end.isEmpty, let dot = stem.lastIndex(of: "."), dot > stem.startIndex, !stem[dot...].contains("/") {
            stem = stem[..<dot]
        }
        let plain = stem.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "-"
        }
        let words = String(plain.prefix(Self.maximumStemLength)).split(separator: "-").joined(separator: "-")
        return (words.isEmpty ? "media" : words) + end
    }

    private static let maximumStemLength = 60
}

/// 128 random bits that give access to one media file.
public struct MediaCapability: Hashable, Sendable {
    static let length = 16

    let bytes: [UInt8]

    init() throws(CryptoError) {
        bytes = try RandomBytes.make(count: Self.length)
    }

    /// Nil if the text is not a capability.
    public init?(_ text: String) {
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// As it is written in the URL.
    public var text: String { Base64URL.encode(bytes) }
}

extension MediaRecord.Storage: PostgresEncodable, PostgresDecodable {}

extension MediaRecord {
    static let columns: PostgresQuery =
        "id, app_id, created_at, name, type, size, capability, hash, storage, external_url"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        name = try row["name"]
        type = try row["type"]
        size = try row["size"]
        capability = MediaCapability(bytes: try row["capability"])
        hash = try row["hash"]
        storage = try row["storage"]
        externalURL = try row["external_url"]
    }
}
