import Foundation

/// The facts about a device that all of its tokens share. Each registration states all of them: the server
/// clears what a `PUT` leaves out.
public struct DeviceState: Sendable, Equatable, Codable {
    /// `UNAuthorizationStatus`, by the server's names.
    public enum Authorization: String, Sendable, Codable {
        case notDetermined = "not_determined"
        case denied, authorized, provisional, ephemeral

        /// A value that a later iOS adds is stated as not determined: left out, the server would take it for authorized.
        public init(systemValue: Int) {
            switch systemValue {
            case 1: self = .denied
            case 2: self = .authorized
            case 3: self = .provisional
            case 4: self = .ephemeral
            default: self = .notDetermined
            }
        }
    }

    public enum Environment: String, Sendable, Codable { case development, production }

    public var environment: Environment
    public var authorization: Authorization
    /// The notification settings by name: `enabled`, `disabled` or `not_supported` for `alert`, `sound`, `lock_screen` …
    public var settings: [String: String] = [:]
    public var locale: String?
    public var timeZone: String?
    public var osVersion: String?
    public var appVersion: String?
    public var model: String?
    /// The app's own facts about the installation.
    public var attributes: [String: JSONValue] = [:]

    public init(environment: Environment, authorization: Authorization) {
        self.environment = environment
        self.authorization = authorization
    }

    /// The members of a `PUT`. An absent value is stated as null, so that no old one stays.
    var members: [String: JSONValue] {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        return [
            "environment": .string(environment.rawValue), "authorization_status": .string(authorization.rawValue),
            "settings": .object(settings.mapValues(JSONValue.string)), "locale": text(locale),
            "time_zone": text(timeZone), "os_version": text(osVersion), "app_version": text(appVersion),
            "model": text(model), "attributes": .object(attributes),
        ]
    }
}

/// The person who is logged in.
public struct User: Sendable, Equatable, Codable {
    public let id: String
    /// The HMAC that the app's own server makes; nil if the app does not verify identities.
    public let signature: String?
    /// Changes to what belongs to the person, as `person` of a registration; nil: none. They are sent until they are
    /// stored once.
    public internal(set) var person: JSONValue?

    public init(id: String, signature: String? = nil, person: JSONValue? = nil) {
        self.id = id
        self.signature = signature
        self.person = person
    }
}

/// The purpose of a token, by the server's names. An installation has at most one token of each kind.
public struct TokenKind: Sendable, Hashable, Codable, Comparable {
    public let name: String
    /// The Live Activity, for `live_activity_update`.
    public let activity: String?

    public init(_ name: String, activity: String? = nil) {
        self.name = name
        self.activity = activity
    }

    public static let alert = TokenKind("alert")
    public static let voip = TokenKind("voip")
    public static let liveActivityStart = TokenKind("live_activity_start")
    public static func liveActivityUpdate(_ activity: String) -> TokenKind {
        TokenKind("live_activity_update", activity: activity)
    }

    public static func < (left: TokenKind, right: TokenKind) -> Bool {
        (left.name, left.activity ?? "") < (right.name, right.activity ?? "")
    }
}
