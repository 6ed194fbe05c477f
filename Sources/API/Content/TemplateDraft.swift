import Application
import Campaigns
import JSON
import Notifications
import Store

/// Reads and checks a template.
struct TemplateDraft {
    private var name: String?
    private var content: TemplateContent?

    init() {}

    init(name: String, content: TemplateContent) {
        self.name = name
        self.content = content
    }

    /// A template that can be saved, and the report about its content.
    struct Checked {
        let name: String
        let content: TemplateContent
        let report: ContentReport

        /// The content as it is stored.
        var text: String { String(decoding: content.json.encoded(), as: UTF8.self) }
    }

    /// Replaces the members that the body contains.
    mutating func read(_ body: inout ObjectReader) {
        name = body.text("name", length: 1...EntryName.maximumLength) ?? name
        if body.has("content") { content = body.content("content") }
    }

    /// Throws all problems together.
    func checked(_ body: inout ObjectReader, _ contents: ContentLoader, app: App.ID) async throws -> Checked {
        var report: ContentReport?
        if let content {
            let found = content.report(in: try await contents.context(for: content, app: app))
            body.refuse(found.problems.filter { $0.severity == .error }.map { $0.inside("content") })
            report = found
        }
        try body.finish()
        guard let name, let content, let report else { throw APIError(problems: []) }
        return Checked(name: name, content: content, report: report)
    }
}

extension ObjectReader {
    mutating func content(
        _ key: String, as read: (JSON) throws(Problems) -> TemplateContent = TemplateContent.init(json:)
    ) -> TemplateContent? {
        guard let json = take(key) else { return nil }
        do throws(Problems) {
            return try read(json)
        } catch {
            for problem in error.problems { refuse(at: problem.inside(key).path, problem.code, problem.message) }
            return nil
        }
    }

    /// Reads an id: a number that is written as a text.
    mutating func id<Of>(_ key: String, _ type: Identifier<Of>.Type = Identifier<Of>.self) -> Identifier<Of>? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, let id = Identifier<Of>(text) else {
            refuse(key, "wrong-type", "must be an id, like \"12\"")
            return nil
        }
        return id
    }

    /// Reads the profile of a made-up recipient; null means that a value is unknown.
    mutating func recipient(_ key: String) -> RecipientProfile? {
        guard let value = take(key) else { return nil }
        guard case .object(let members) = value else {
            refuse(key, "wrong-type", "must be an object, like {\"locale\":\"ja\",\"attributes\":{}}")
            return nil
        }
        var reader = ObjectReader(members.filter { $0.value != .null }, path: key)
        let length = 0...200
        var person = RecipientProfile(
            userID: reader.text("user_id", length: length, as: .any), locale: reader.fact(.locale),
            timeZone: reader.fact(.timeZone), osVersion: reader.fact(.osVersion), appVersion: reader.fact(.appVersion),
            model: reader.text("model", length: length))
        if let attributes = reader.take("attributes") {
            if case .object = attributes {
                person.attributes = attributes.canonical
            } else {
                reader.refuse("attributes", "wrong-type", "must be an object")
            }
        }
        do throws(APIError) {
            try reader.finish()
        } catch {
            refuse(error.problems)
        }
        return person
    }

    /// Reads a value of a made-up device, in the form in which devices have it; an empty text is no value.
    private mutating func fact(_ field: DeviceField) -> String? {
        guard let text = text(field.rawValue, length: 0...200, as: .any), !text.isEmpty else { return nil }
        if let stored = field.stored(text) { return stored }
        switch field {
        case .locale: refuse(field.rawValue, "unknown-locale", "must be a language tag, like en, pt-BR or zh-Hant-HK")
        case .timeZone:
            refuse(
                field.rawValue, "unknown-time-zone",
                "must be a time zone like Europe/Berlin, not \(JSON.string(text).summary)")
        case .userID, .osVersion, .appVersion, .model, .language: break
        }
        return text
    }
}
