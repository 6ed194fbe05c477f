public import Campaigns
public import JSON
import Notifications
import Postgres
public import Store

/// Composes the payload that a recipient of a run got.
public struct SentContents: Sendable {
    /// A payload, composed again.
    public struct Payload: Sendable {
        /// The locale whose text it has; nil: the default payload.
        public let language: String?
        /// The name of the variant in an A/B test; nil without one.
        public let variant: String?
        /// Nil if it was too long, or a value is missing.
        public let json: JSON?
        /// True if it is certainly the payload that was sent: the recipient's values have not changed, if it has any,
        /// and the time of sending makes no difference.
        public let isExact: Bool
    }

    private let contents: RunContents
    private let messageKeys: MessageKeyStore

    public init(contents: RunContents, messageKeys: MessageKeyStore) {
        self.contents = contents
        self.messageKeys = messageKeys
    }

    /// `person` is the recipient as far as it is known from the time of the push; `hasChanged` says whether the rest
    /// may have changed since. The push was composed at some time in `moments`, in seconds since 1970. Nil if the
    /// content can't be composed any more: its media was deleted, or the run was cancelled.
    public func payload(
        of run: Run.Key, message number: Int64, for person: RecipientProfile, on device: Device.ID, hasChanged: Bool,
        in moments: ClosedRange<Int>
    ) async throws -> Payload? {
        let content: RunContent?
        do {
            content = try await contents.content(of: run)
        } catch is RunContents.MediaGone {
            return nil
        }
        guard let content else { return nil }
        guard let variant = content.source.variants.firstIndex(where: { $0.messageNumber == number }) else {
            return nil
        }
        let (source, compiled) = (content.source.variants[variant], content.variants[variant])
        if case .cancelled = source.body { return nil }
        let keys = try await messageKeys.messageKeys(app: content.source.app)
        guard let key = keys[content.source.messageKeyVersion] else { return nil }
        let id = MessageID(messageNumber: source.messageNumber, device: device.rawValue, key: key)
        var person = person
        if let values = content.source.values, case .object(let members) = try JSON(parsing: values.bytes) {
            person = person.replacingAttributes(with: members)
        }
        let texts = try [moments.upperBound, moments.lowerBound].map { now -> JSON? in
            guard case .payload(let bytes) = ContentComposer(compiled, now: now).compose(for: person, id: id)
            else { return nil }
            return try JSON(parsing: bytes)
        }
        return Payload(
            language: compiled.variantLocale(for: person.locale),
            variant: content.variants.count > 1 ? source.name : nil, json: texts[0],
            isExact: texts[0] == texts[1] && (compiled.needs.isEmpty || !hasChanged))
    }
}
