public import JSON

/// A notification that the app schedules on the device (UNNotificationRequest).
public struct LocalNotification: Sendable, Equatable {
    /// Unique in its plan. A request replaces an earlier one with the same identifier.
    public var identifier: String
    public var trigger: LocalTrigger
    /// In the languages of the app. Variants are complete: they inherit nothing from the default.
    public var content: Localized<LocalNotificationContent>

    /// Without the default.
    public static let maximumVariants = 100

    public init(identifier: String, trigger: LocalTrigger, content: Localized<LocalNotificationContent>) {
        self.identifier = identifier
        self.trigger = trigger
        self.content = content
    }
}

extension LocalNotification {
    enum Key: String, MemberName {
        case identifier
        case trigger
        case content
        case variants
    }

    init(_ reader: inout ObjectReader) {
        reader.require(Key.identifier, Key.trigger, Key.content)
        self.init(
            identifier: reader.value(Key.identifier, ClientIdentifier.check) ?? "",
            trigger: reader.closedObject(Key.trigger) { LocalTrigger(&$0) } ?? .unreadable,
            content: Localized(
                reader.closedObject(Key.content) { LocalNotificationContent(&$0) } ?? LocalNotificationContent(),
                reader.closedObject(Key.variants, Self.variants) ?? [:]))
    }

    private static func variants(_ reader: inout ObjectReader) -> [LocaleTag: LocalNotificationContent] {
        guard reader.rest.count <= maximumVariants else {
            reader.refuse(
                at: "", "too-many", "must contain at most \(maximumVariants) languages, not \(reader.rest.count)")
            reader.skipRest()
            return [:]
        }
        var variants: [LocaleTag: LocalNotificationContent] = [:]
        for name in reader.rest.map(\.key) {
            let tag = reader.languageTag(name, besides: variants.keys)
            let content = reader.closedObject(name) { LocalNotificationContent(&$0) }
            if let tag { variants[tag] = content ?? LocalNotificationContent() }
        }
        return variants
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.trigger, trigger.json)
        members.append(Key.content, content.standard.json)
        if !content.variants.isEmpty {
            let variants = content.variants.sorted { $0.key < $1.key }
            members.append(
                Key.variants, .object(variants.map { JSON.Member($0.key.text, $0.value.json) }))
        }
        return .object(members)
    }

    /// The members that an app in this language needs for its UNNotificationRequest. The identifier includes the
    /// plan's, because two plans may have notifications with the same identifier.
    public func appJSON(inPlan plan: String, for locale: LocaleTag?) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string("\(plan)/\(identifier)"))
        members.append(Key.trigger, trigger.json)
        members.append(Key.content, content.value(for: locale).appJSON)
        return .object(members)
    }

    /// Findings that iOS accepts but a person should know.
    var warnings: [Problem] {
        content.standard.warnings.map { $0.inside(Key.content.rawValue) }
            + content.variants.sorted { $0.key < $1.key }.flatMap { tag, variant in
                let languages = LanguageParts.warnings(
                    about: variant.parts, in: tag.text, default: content.standard.parts)
                return (variant.warnings + languages).map {
                    $0.inside(ProblemPath.member(tag.text, of: Key.variants.rawValue))
                }
            }
    }
}
