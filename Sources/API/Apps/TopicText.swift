import JSON
import Notifications
import Store

/// Reads a topic's texts in a body; members that are nil are absent.
struct TopicText {
    let name: String?
    let description: String?
    let translations: [LocaleTag: Topic.Text]?

    init(_ body: inout ObjectReader) {
        name = body.text("name", length: 1...Topic.maximumNameLength)
        description = body.text("description", length: 0...Topic.maximumDescriptionLength, as: .any)
        translations = Self.translations(&body)
    }

    private static func translations(_ body: inout ObjectReader) -> [LocaleTag: Topic.Text]? {
        guard let members = body.members("translations") else { return nil }
        guard members.count <= Topic.maximumTranslations else {
            body.refuse(
                "translations", "too-many",
                "must have at most \(Topic.maximumTranslations) languages, not \(members.count)")
            return nil
        }
        var reader = ObjectReader(members, path: "translations")
        var texts: [LocaleTag: Topic.Text] = [:]
        for language in members.map(\.key) {
            guard let tag = reader.languageTag(language, besides: texts.keys) else {
                _ = reader.take(language)
                continue
            }
            texts[tag] = reader.object(language) { reader in reader.closed(text) }
        }
        body.refuse(reader.problems)
        return texts
    }

    private static func text(_ reader: inout ObjectReader) -> Topic.Text {
        reader.require("name")
        return Topic.Text(
            name: reader.text("name", length: 1...Topic.maximumNameLength) ?? "",
            description: reader.text("description", length: 0...Topic.maximumDescriptionLength, as: .any))
    }
}
