import Campaigns
import Notifications

/// What a test push says: the same to everybody, or a content that is composed for each.
enum TestPushMessage {
    case constant(JSON, messageIDKey: String)
    case composed(TemplateContent, ContentContext, now: Int)

    enum Composition {
        case composed([UInt8])
        case suppressed(TestPushAnswer)
    }

    /// The payload with the message id. The content compiles.
    func payload(for person: SamplePerson, id: MessageID) -> Composition {
        switch self {
        case .constant(let payload, let key): return .composed(payload.with(id, under: key).encoded())
        case .composed(let content, let context, let now):
            guard let preview = try? CompiledContent.preview(content, for: person, in: context, now: now) else {
                return .suppressed(TestPushAnswer(.suppressed, meaning: "The content cannot be composed."))
            }
            let variant = preview.variants[preview.chosen]
            guard let payload = variant.payload, !variant.isTooLong else {
                return .suppressed(
                    TestPushAnswer(
                        .suppressed, reason: "payload too long",
                        meaning: "The payload is \(variant.length) bytes long; Apple takes \(variant.size.limit).",
                        remedy: "Shorten it."))
            }
            guard variant.missing.isEmpty else {
                let names = variant.missing.map(\.description).joined(separator: ", ")
                return .suppressed(
                    TestPushAnswer(
                        .suppressed, reason: "value missing",
                        meaning: "There is no \(names) here that can be shown, and no default.",
                        remedy: "Give the template a default, or the device a value: a text or number, and for "
                            + "as_number in a badge a whole number from 0."))
            }
            return .composed(payload.with(id, under: context.messageIDKey).encoded())
        }
    }
}

extension JSON {
    /// An object with the id as its last member, in place of what stands under the key.
    fileprivate func with(_ id: MessageID, under key: String) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [Member(key, .string(id.text))])
    }
}
