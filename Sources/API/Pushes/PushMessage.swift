import Campaigns
import JSON
import Notifications

/// What pushes to single devices say: the same to everybody, or a content that is composed for each.
enum PushMessage: Sendable {
    case constant(JSON, messageIDKey: String)
    case composed(TemplateContent, CompiledContent, ContentContext)

    /// The payload with the message id, which stands last.
    func payload(for person: SamplePerson, id: MessageID, now: Int) -> PersonalPayload {
        switch self {
        case .constant(let payload, let key): .payload(payload.with(id, under: key).encoded())
        case .composed(_, let compiled, _): ContentComposer(compiled, now: now).compose(for: person, id: id)
        }
    }

    /// All that somebody lacks for whom there is no payload, and how long it would be; nil where there is nothing to say.
    func preview(for person: SamplePerson, now: Int) -> ContentPreview.Variant? {
        guard case .composed(let content, _, let context) = self,
            let preview = try? CompiledContent.preview(content, for: person, in: context, now: now)
        else { return nil }
        return preview.variants[preview.chosen]
    }
}

extension JSON {
    /// An object with the id as its last member, in place of what stands under the key.
    fileprivate func with(_ id: MessageID, under key: String) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [Member(key, .string(id.text))])
    }
}
