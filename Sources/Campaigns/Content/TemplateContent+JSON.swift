public import JSON
import Notifications

extension TemplateContent {
    private enum Key {
        static let all = [pushType, priority, expiration, collapseID, payload, variants, media]
        static let pushType = "push_type"
        static let priority = "priority"
        static let expiration = "expiration_seconds"
        static let collapseID = "collapse_id"
        static let payload = "payload"
        static let variants = "variants"
        static let media = "media"
    }

    /// The form in which content is stored and exchanged: `push_type`, `priority`, `expiration_seconds`, `collapse_id`,
    /// `payload`, `variants` (an object of payloads by locale), `media`. Absent values are omitted.
    public var json: JSON {
        var members = [JSON.Member(Key.pushType, .string(pushType.rawValue))]
        if let priority { members.append(JSON.Member(Key.priority, .number(JSON.Number(priority.rawValue)))) }
        if let expirationSeconds {
            members.append(JSON.Member(Key.expiration, .number(JSON.Number(expirationSeconds))))
        }
        if let collapseID { members.append(JSON.Member(Key.collapseID, .string(collapseID))) }
        members.append(JSON.Member(Key.payload, payload))
        if !variants.isEmpty {
            members.append(JSON.Member(Key.variants, .object(variants.map { JSON.Member($0.locale, $0.payload) })))
        }
        if let media { members.append(JSON.Member(Key.media, media.json)) }
        return .object(members)
    }

    /// Reads that form. Throws all values that have the wrong type or are out of range, together; `report` checks the
    /// payloads.
    public init(json: JSON) throws(Problems) {
        guard case .object(let members) = json else {
            throw Problems([Problem(path: "", code: "wrong-type", message: "must be an object")])
        }
        var problems: [Problem] = []
        func refuse(_ path: String, _ code: String, _ message: Message) {
            problems.append(Problem(path: path, code: code, message: message))
        }
        self.init(payload: json[Key.payload] ?? .null)
        for member in members {
            switch (member.key, member.value) {
            case (Key.pushType, .string(let name)):
                if let type = PushType(rawValue: name) {
                    pushType = type
                } else {
                    refuse(
                        member.key, "unknown-value",
                        "must be one of \(PushType.allCases.map(\.rawValue).list)")
                }
            case (Key.priority, .number(let number)):
                priority = number.int.flatMap(Priority.init(rawValue:))
                if priority == nil { refuse(member.key, "out-of-range", "must be 10, 5 or 1, not \(number.text)") }
            case (Key.expiration, .number(let number)):
                expirationSeconds = number.int
                if number.int.map((0...Self.maximumExpirationSeconds).contains) != true {
                    refuse(
                        member.key, "out-of-range",
                        "must be a whole number from 0 to \(Self.maximumExpirationSeconds), not \(number.text)")
                }
            case (Key.collapseID, .string(let text)): collapseID = text
            case (Key.variants, .object(let payloads)):
                variants = payloads.map { Variant(locale: $0.key, payload: $0.value) }
            case (Key.media, .object):
                media = MediaReference(json: member.value)
                if media == nil {
                    refuse(member.key, "wrong-type", "must be an object with an id or a url, like {\"id\":\"…\"}")
                }
            case (Key.payload, _), (Key.priority, .null), (Key.expiration, .null), (Key.collapseID, .null),
                (Key.media, .null):
                break
            case (let key, _) where Key.all.contains(key):
                let wanted: Message =
                    switch key {
                    case Key.priority, Key.expiration: "a number"
                    case Key.variants: "an object of payloads by locale"
                    case Key.media: "an object"
                    default: "a text"
                    }
                refuse(key, "wrong-type", "must be \(wanted)")
            case (let key, _):
                let suggestion = Spelling.suggestion(for: key, among: Key.all)
                refuse(key, "unknown-field", "is an unknown field\(suggestion)")
            }
        }
        guard problems.isEmpty else { throw Problems(problems) }
    }
}
