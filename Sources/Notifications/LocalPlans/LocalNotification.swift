import FoundationEssentials
public import JSON

/// A notification that the app schedules on the device (UNNotificationRequest).
public struct LocalNotification: Sendable, Equatable {
    /// Unique in its plan. A request replaces an earlier one with the same identifier.
    public var identifier: String
    public var trigger: LocalTrigger
    /// It does not appear later, by the phone's clock. Nil: without end.
    public var lastDay: CivilDay?
    /// In the languages of the app. Variants are complete: they inherit nothing from the default.
    public var content: Localized<LocalNotificationContent>

    /// Without the default.
    public static let maximumVariants = 100

    public init(
        identifier: String, trigger: LocalTrigger, lastDay: CivilDay? = nil,
        content: Localized<LocalNotificationContent>
    ) {
        self.identifier = identifier
        self.trigger = trigger
        self.lastDay = lastDay
        self.content = content
    }
}

extension LocalNotification {
    enum Key: String, MemberName {
        case identifier
        case trigger
        case lastDay = "last_day"
        case content
        case variants
        /// Of the plan, for apps only.
        case version
    }

    init(_ reader: inout ObjectReader) {
        reader.require(Key.identifier, Key.trigger, Key.content)
        self.init(
            identifier: reader.value(Key.identifier, ClientIdentifier.check) ?? "",
            trigger: reader.closedObject(Key.trigger) { LocalTrigger(&$0) } ?? .unreadable,
            lastDay: reader.value(Key.lastDay) { text throws(InvalidValue) in try Self.day(text) },
            content: Localized(
                reader.closedObject(Key.content) { LocalNotificationContent(&$0) } ?? LocalNotificationContent(),
                reader.closedObject(Key.variants, Self.variants) ?? [:]))
    }

    /// Whether a notification can have this identifier.
    public static func isIdentifier(_ text: String) -> Bool { (try? ClientIdentifier.check(text)) != nil }

    private static func day(_ text: String) throws(InvalidValue) -> CivilDay {
        guard let day = CivilDay(text: text), CalendarComponents.years ~= day.year else {
            throw InvalidValue("invalid-date", "must be a day of the years 2000 to 2200, like 2026-12-24")
        }
        return day
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
        members.append(Key.lastDay, lastDay.map { .string($0.text) })
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
    func appJSON(in plan: LocalPlan, for locale: LocaleTag?) -> JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string("\(plan.identifier)/\(identifier)"))
        members.append(Key.version, .number(JSON.Number(plan.version)))
        members.append(Key.trigger, trigger.json)
        members.append(Key.lastDay, lastDay.map { .string($0.text) })
        members.append(Key.content, content.value(for: locale).appJSON)
        return .object(members)
    }

    /// When it appears next if the app schedules it at `date`. `.never` after its last day, too; what waits for an event
    /// may happen until then.
    func next(after date: Date, in zone: TimeZone) -> LocalFireTime {
        let moment = trigger.next(after: date, in: zone)
        guard let lastDay else { return moment }
        let end = ZoneClock(zone).start(of: CivilDay(number: lastDay.number + 1))
        let earliest = if case .at(let time) = moment { time } else { date }
        return earliest.timeIntervalSince1970 < Double(end) ? moment : .never
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
