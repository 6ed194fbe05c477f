public import JSON
public import Notifications

/// Content as people write it: a push type, options, a default payload, and payloads for some locales.
///
/// Texts in a payload may contain Liquid (see `LiquidTemplate`); keys may not. A placeholder produces text, with one
/// exception: a text that consists of a single placeholder whose last filter is `as_number`, like
/// `"{{ unread | as_number }}"`, becomes a JSON number without quotes. This is how a badge is personalized. A value
/// that is not a number is not usable, and in `aps.badge` neither is a number that is negative or not whole;
/// `"badge": "{{ unread }}"` is rejected like any text there.
public struct TemplateContent: Sendable, Equatable {
    public var pushType: PushType
    /// Nil stands for the push type's default.
    public var priority: Priority?
    /// The time that Apple stores a push for an offline device, in seconds from sending; 0 is one attempt, nil is the
    /// campaign's value.
    public var expirationSeconds: Int?
    /// Not validated yet, so that its problems are reported with the others.
    public var collapseID: String?
    /// For recipients whose locale has no variant.
    public var payload: JSON
    /// Complete payloads: nothing is inherited from the default payload.
    public var variants: [Variant]
    public var media: MediaReference?

    public struct Variant: Sendable, Equatable {
        /// Like `zh-Hant`: serves the locales with this prefix that have no closer variant.
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

    /// A payload to be compiled.
    struct VariantPayload {
        /// Nil for the default payload.
        let locale: String?
        let own: JSON
        /// With the media's keys.
        let payload: JSON
        /// The path in the content: `payload`, `variants.ja`.
        let path: String
    }

    /// The default payload first.
    func variants(with context: ContentContext) -> [VariantPayload] {
        let all =
            [(nil, payload, "payload")]
            + variants.map { ($0.locale, $0.payload, ProblemPath.member($0.locale, of: "variants")) }
        return all.map { locale, payload, path in
            let complete = media == nil ? payload : context.withMedia(payload)
            return VariantPayload(locale: locale, own: payload, payload: complete, path: path)
        }
    }
}
