public import JSON
public import Notifications

/// What is sent, as people write it: a push type, options, and a payload for everybody and one for each locale that has
/// its own.
///
/// Texts in a payload may hold Liquid (`LiquidTemplate` says which); keys never do. A hole is always a text, with one
/// exception: a text that is nothing but a hole whose last filter is `as_number`, like `"{{ unread | as_number }}"`,
/// becomes a JSON number without quotes. Only so can a badge be personal. A value that is no number counts as missing,
/// and in `aps.badge` so does one that is not whole or below 0; `"badge": "{{ unread }}"` is refused like any text there.
public struct TemplateContent: Sendable, Equatable {
    public var pushType: PushType
    /// Nil stands for the push type's default.
    public var priority: Priority?
    /// How long Apple keeps a push for a device that is away, in seconds from its sending; 0 is one attempt, nil leaves
    /// it to the campaign.
    public var expirationSeconds: Int?
    /// As typed, so that its faults come with the others.
    public var collapseID: String?
    /// For everybody whose locale has none of its own.
    public var payload: JSON
    /// Whole payloads: nothing is taken over from the other one.
    public var variants: [Variant]
    public var media: MediaReference?

    public struct Variant: Sendable, Equatable {
        /// Like `zh-Hant`: serves the locales that begin so and have no nearer one.
        public var locale: String
        public var payload: JSON

        public init(locale: String, payload: JSON) {
            self.locale = locale
            self.payload = payload
        }
    }

    public static let maximumVariants = 100
    /// 30 days, after which Apple drops a push anyway.
    public static let maximumExpirationSeconds = 30 * 86_400

    public init(
        pushType: PushType = .alert, priority: Priority? = nil, expirationSeconds: Int? = nil,
        collapseID: String? = nil, payload: JSON, variants: [Variant] = [], media: MediaReference? = nil
    ) {
        self.pushType = pushType
        self.priority = priority
        self.expirationSeconds = expirationSeconds
        self.collapseID = collapseID
        self.payload = payload
        self.variants = variants
        self.media = media
    }

    /// A payload on its way to be compiled.
    struct LocalPayload {
        /// Nil for the one that everybody else gets.
        let locale: String?
        let own: JSON
        /// With the media's keys.
        let payload: JSON
        /// Where it stands in the content: `payload`, `variants.ja`.
        let path: String
    }

    /// The payload for everybody first.
    func variants(with context: ContentContext) -> [LocalPayload] {
        let all =
            [(nil, payload, "payload")]
            + variants.map { ($0.locale, $0.payload, ProblemPath.member($0.locale, of: "variants")) }
        return all.map { locale, payload, path in
            let complete = media == nil ? payload : context.withMedia(payload)
            return LocalPayload(locale: locale, own: payload, payload: complete, path: path)
        }
    }
}
