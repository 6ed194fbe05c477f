import Foundation

/// The facts about a device that all of its tokens share. Each registration states all of them: the server
/// clears what a `PUT` leaves out.
public struct DeviceState: Sendable, Equatable {
    /// `UNAuthorizationStatus`, by the server's names.
    public enum Authorization: String, Sendable {
        /// The person has not been asked, or iOS has a status that the kit does not know.
        case notDetermined = "not_determined"
        /// As `UNAuthorizationStatus` has them; `provisional` shows quietly, `ephemeral` is for App Clips.
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

    /// Apple's environment that a token works in.
    public enum Environment: String, Sendable {
        /// Apps that Xcode has installed.
        case development
        /// TestFlight, the App Store and enterprise builds.
        case production
    }

    /// By the provisioning profile. The server corrects a wrong one at the first push.
    public var environment: Environment
    /// The server sends no alerts to a device whose owner has denied them.
    public var authorization: Authorization
    /// The notification settings by name: `enabled`, `disabled` or `not_supported` for `alert`, `sound`, `lock_screen` …
    public var settings: [String: String] = [:]
    /// The person's first language, like `de-AT`.
    public var locale: String?
    /// The identifier, like `Europe/Vienna`.
    public var timeZone: String?
    /// Like `18.2.1`.
    public var osVersion: String?
    /// `CFBundleShortVersionString`.
    public var appVersion: String?
    /// Like `iPhone16,1`.
    public var model: String?
    /// The app's own facts about the installation.
    public var attributes: [String: JSONValue] = [:]

    /// The two facts without which no registration is sent.
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
    /// The app's own name for the person.
    public let id: String
    /// The HMAC that the app's own server makes; nil if the app does not verify identities.
    public let signature: String?
    /// Changes to what belongs to the person, as `person` of a registration; nil: none. They are sent until they are
    /// stored once.
    public internal(set) var person: JSONValue?

    /// `signature` comes from the app's own server: its key must not be in the app.
    public init(id: String, signature: String? = nil, person: JSONValue? = nil) {
        self.id = id
        self.signature = signature
        self.person = person
    }
}

/// The purpose of a token, by the server's names. An installation has at most one token of each kind.
public struct TokenKind: Sendable, Hashable, Codable {
    /// The server's name of the kind.
    public let name: String
    /// The Live Activity, for `live_activity_update`.
    public let activity: String?

    /// A kind that the kit has no name for.
    public init(_ name: String, activity: String? = nil) {
        self.name = name
        self.activity = activity
    }

    /// Tokens of `registerForRemoteNotifications`.
    public static let alert = TokenKind("alert")
    /// Tokens of PushKit for calls.
    public static let voip = TokenKind("voip")
    /// Tokens that start Live Activities.
    public static let liveActivityStart = TokenKind("live_activity_start")
    /// Tokens that update one Live Activity.
    public static func liveActivityUpdate(_ activity: String) -> TokenKind {
        TokenKind("live_activity_update", activity: activity)
    }
}
