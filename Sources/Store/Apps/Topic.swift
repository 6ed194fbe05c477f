public import Campaigns
public import JSON
public import Notifications
public import Postgres

/// A topic that people can opt out of. Its key never changes, since devices and apps refer to it.
public struct Topic: Hashable, Sendable {
    /// In characters.
    public static let maximumNameLength = 100
    public static let maximumDescriptionLength = 500
    public static let maximumTranslations = 50

    /// The name and the description in one language.
    public struct Text: Hashable, Sendable {
        public var name: String
        /// Nil in a translation: that of the default text.
        public var description: String?

        public init(name: String, description: String?) {
            self.name = name
            self.description = description
        }
    }

    public let key: TopicKey
    public let createdAt: Timestamp
    /// Nil unless it is archived.
    public let archivedAt: Timestamp?
    public let version: Int
    /// The default text always has a description, which can be empty.
    public let text: Localized<Text>

    /// The texts for a device in `locale`.
    public func text(for locale: LocaleTag?) -> Text {
        let text = self.text.value(for: locale)
        return Text(name: text.name, description: text.description ?? self.text.standard.description)
    }

    /// `{"de": {"name": "Angebote", "description": null}}`, sorted by language.
    public static func json(_ translations: [LocaleTag: Text]) -> JSON {
        .object(
            translations.sorted { $0.key < $1.key }.map { tag, text in
                let description = text.description.map(JSON.string) ?? .null
                return JSON.Member(tag.text, ["name": .string(text.name), "description": description])
            })
    }
}

extension Localized where Value == Topic.Text {
    /// A text in the default language only.
    public init(name: String, description: String = "") {
        self.init(Topic.Text(name: name, description: description))
    }
}

extension Topic {
    static let columns: PostgresQuery = "key, created_at, archived_at, version, name, description, translations"

    init(_ row: PostgresRow) throws {
        key = try TopicKey(try row["key"])
        createdAt = try row["created_at"]
        archivedAt = try row["archived_at"]
        version = try row["version"]
        text = Localized(
            Text(name: try row["name"], description: try row["description"]),
            try Self.translations(try JSON(parsing: row["translations", as: JSONText.self].bytes)))
    }

    private static func translations(_ json: JSON) throws -> [LocaleTag: Text] {
        guard case .object(let languages) = json else { return [:] }
        var reader = ObjectReader(languages)
        return try languages.reduce(into: [:]) { texts, language in
            texts[try LocaleTag(language.key)] = reader.closedObject(language.key) {
                Text(name: $0.string("name") ?? "", description: $0.string("description"))
            }
        }
    }
}
