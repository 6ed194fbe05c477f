public import Campaigns
public import JSON
import Notifications
import Postgres
public import Store

/// Composes the payload that a recipient of a run got.
public struct SentContents: Sendable {
    /// A payload, composed again.
    public struct Payload: Sendable {
        /// The locale of the variant; nil: the default payload.
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
        of run: Run.Key, for person: RecipientProfile, on device: Device.ID, hasChanged: Bool,
        in moments: ClosedRange<Int>
    ) async throws -> Payload? {
        let content: RunContent?
        do {
            content = try await contents.content(of: run)
        } catch is RunContents.MediaGone {
            return nil
        }
        guard let content else { return nil }
        if case .cancelled = content.source.body { return nil }
        let keys = try await messageKeys.messageKeys(app: content.source.app)
        guard let key = keys[content.source.messageKeyVersion] else { return nil }
        let id = MessageID(messageNumber: content.source.messageNumber, device: device.rawValue, key: key)
        var person = person
        if let values = content.source.values, case .object(let members) = try JSON(parsing: values.bytes) {
            person = person.replacingAttributes(with: members)
        }
        let texts = try [moments.upperBound, moments.lowerBound].map { now -> JSON? in
            guard case .payload(let bytes) = ContentComposer(content.content, now: now).compose(for: person, id: id)
            else { return nil }
            return try JSON(parsing: bytes)
        }
        return Payload(
            variant: content.content.variantLocale(for: person.locale), json: texts[0],
            isExact: texts[0] == texts[1] && (content.content.needs.isEmpty || !hasChanged))
    }
}
