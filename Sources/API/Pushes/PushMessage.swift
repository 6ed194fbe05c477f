import Campaigns
import JSON
import Notifications

/// The message of pushes to single devices: one payload for all, or content that is composed for each.
enum PushMessage: Sendable {
    case constant(JSON, messageIDKey: String)
    case composed(TemplateContent, CompiledContent, ContentContext)

    /// The payload, with the message id as its last member.
    func payload(for person: RecipientProfile, id: MessageID, now: Int) -> ComposedPayload {
        switch self {
        case .constant(let payload, let key): .payload(payload.with(id, under: key).encoded())
        case .composed(_, let compiled, _): ContentComposer(compiled, now: now).compose(for: person, id: id)
        }
    }

    /// The missing values and the length of a payload that could not be composed; nil for a constant payload.
    func preview(for person: RecipientProfile, now: Int) -> ContentPreview.Variant? {
        guard case .composed(let content, _, let context) = self,
            let preview = try? CompiledContent.preview(content, for: person, in: context, now: now)
        else { return nil }
        return preview.variants[preview.selected]
    }
}

extension JSON {
    /// The object with the id as its last member; it replaces an existing member with the same key.
    fileprivate func with(_ id: MessageID, under key: String) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [Member(key, .string(id.text))])
    }
}
