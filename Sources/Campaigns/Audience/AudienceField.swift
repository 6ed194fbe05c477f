/// A field of devices that an audience can test. The raw value is its name in JSON.
public enum AudienceField: String, CaseIterable, Hashable, Sendable {
    case userID = "user_id"
    case installation
    case locale
    /// The locale's first part, `zh` of `zh-Hant-HK`, in lower case.
    case language
    case timeZone = "time_zone"
    /// Told from the time zone; without one, or with UTC or a fixed offset, from the region of the locale.
    case country
    case osVersion = "os_version"
    case appVersion = "app_version"
    case model
    case environment
    case authorizationStatus = "authorization_status"
    case isTest = "is_test"
    case createdAt = "created_at"
    case lastSeenAt = "last_seen_at"

    /// The type of a field's values.
    public enum Kind: Hashable, Sendable {
        case text
        /// A text that is compared by its bytes: signatures cover those of user IDs.
        case exact
        /// A secret, compared as a whole: a test of its parts would find it letter by letter.
        case secret
        /// A language tag in its canonical form, compared part by part (see `LocaleTag`).
        case locale
        /// The canonical name of a time zone; parts of names are compared in any case.
        case zone
        /// Lower-case letters, compared as a whole.
        case language
        /// A code of ISO 3166-1 in upper case.
        case country
        /// One of these.
        case word([String])
        case version
        case flag
        case time
        /// The value of an attribute: any JSON.
        case json
    }

    public var kind: Kind {
        switch self {
        case .userID: .exact
        case .model: .text
        case .installation: .secret
        case .timeZone: .zone
        case .country: .country
        case .locale: .locale
        case .language: .language
        case .osVersion, .appVersion: .version
        case .environment: .word(PushEnvironment.allCases.map(\.name))
        case .authorizationStatus: .word(AuthorizationStatus.allCases.map(\.name))
        case .isTest: .flag
        case .createdAt, .lastSeenAt: .time
        }
    }

    /// The name of the field in summaries.
    public var label: String {
        switch self {
        case .userID: "user id"
        case .installation: "installation"
        case .locale: "locale"
        case .language: "language"
        case .timeZone: "time zone"
        case .country: "country"
        case .osVersion: "iOS version"
        case .appVersion: "app version"
        case .model: "model"
        case .environment: "environment"
        case .authorizationStatus: "authorization status"
        case .isTest: "test device"
        case .createdAt: "added"
        case .lastSeenAt: "last seen"
        }
    }
}

extension AudienceField.Kind {
    /// In the order in which a form offers them.
    public var operators: [AudienceOperator] {
        switch self {
        case .text, .exact, .locale, .zone: [.is, .isNot, .in, .notIn, .startsWith, .contains, .exists]
        case .language: [.is, .isNot, .in, .notIn, .exists]
        case .secret, .word, .country: [.is, .isNot, .in, .notIn]
        case .version: [.is, .atLeast, .below, .above, .atMost, .exists]
        case .flag: [.is]
        case .time: [.before, .after, .withinDays, .olderThanDays, .exists]
        case .json:
            [
                .is, .isNot, .in, .notIn, .startsWith, .contains, .atLeast, .below, .above, .atMost, .before, .after,
                .withinDays, .olderThanDays, .withinNextDays, .anniversaryInDays, .exists,
            ]
        }
    }
}
