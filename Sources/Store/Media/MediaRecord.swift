public import Campaigns
import Crypto
public import Notifications
public import Postgres

/// A medium as it is stored, without its content.
public struct MediaRecord: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200

    /// Where the content is.
    public enum Storage: String, Hashable, Sendable {
        case database, directory, external
    }

    public let id: Media.ID
    public let app: App.ID
    public let createdAt: Timestamp
    /// What people call it.
    public let name: String
    /// Nil where it lies elsewhere and could not be looked at.
    public let type: MediaType?
    /// In bytes; nil where nobody has said it.
    public let size: Int?
    /// Whoever knows it may fetch the content.
    public let capability: MediaCapability
    /// SHA-256 of the content; nil for what lies elsewhere.
    public let hash: [UInt8]?
    public let storage: Storage
    public let externalURL: String?

    /// The last part of its address: iOS goes by a file's extension. Letters, digits, hyphens and a dot.
    public var fileName: String {
        let end = type.map { ".\($0.fileExtension)" } ?? ""
        var stem = name.lowercased()[...]
        // What stands behind the last dot is the old extension, unless it is a folder's dot.
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

/// 128 random bits that open one medium.
public struct MediaCapability: Hashable, Sendable {
    static let length = 16

    let bytes: [UInt8]

    init() throws(CryptoError) {
        bytes = try RandomBytes.make(count: Self.length)
    }

    /// Nil for a text that cannot be one.
    public init?(_ text: String) {
        guard let bytes = try? Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// As it stands in the address.
    public var text: String { Base64URL.encode(bytes) }
}

extension MediaRecord.Storage: PostgresEncodable, PostgresDecodable {}

extension MediaRecord {
    static let columns: PostgresQuery =
        "id, app_id, created_at, name, type, size, capability, hash, storage, external_url"

    init(_ row: PostgresRow) throws {
        id = try row[0]
        app = try row[1]
        createdAt = try row[2]
        name = try row[3]
        type = try row[4]
        size = try row[5]
        capability = MediaCapability(bytes: try row[6])
        hash = try row[7]
        storage = try row[8]
        externalURL = try row[9]
    }
}
