import Foundation

/// What the app knows about its device. Each registration states all of it: the server clears members that a `PUT`
/// leaves out, except tags, opt-outs and attributes.
public struct DeviceState: Sendable, Equatable {
    /// `UNAuthorizationStatus`, by the server's names.
    public enum Authorization: String, Sendable {
        case notDetermined = "not_determined"
        case denied, authorized, provisional, ephemeral

        /// Nil for a value that a later iOS adds: it is stated as unknown, never as authorized.
        public init?(systemValue: Int) {
            switch systemValue {
            case 0: self = .notDetermined
            case 1: self = .denied
            case 2: self = .authorized
            case 3: self = .provisional
            case 4: self = .ephemeral
            default: return nil
            }
        }
    }

    public enum Environment: String, Sendable { case development, production }

    /// The person who is logged in.
    public struct User: Sendable, Equatable {
        public let id: String
        /// The HMAC that the app's own server makes; nil if the app does not verify identities.
        public let signature: String?

        public init(id: String, signature: String? = nil) {
            self.id = id
            self.signature = signature
        }
    }

    /// In hexadecimal.
    public var token: String
    public var environment: Environment
    public var authorization: Authorization?
    public var locale: String?
    public var timeZone: String?
    public var osVersion: String?
    public var appVersion: String?
    public var model: String?
    public var user: User?

    public init(token: String, environment: Environment) {
        self.token = token
        self.environment = environment
    }

    /// The body of the `PUT`. An absent value is stated as null, so that no old one stays.
    public func body(sentAt: Date) -> JSONValue {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        return .object([
            "token": .string(token), "environment": .string(environment.rawValue),
            "authorization_status": text(authorization?.rawValue), "locale": text(locale),
            "time_zone": text(timeZone), "os_version": text(osVersion), "app_version": text(appVersion),
            "model": text(model), "user_id": text(user?.id), "user_id_signature": text(user?.signature),
            "sent_at": .string(Event.timestamp(sentAt)),
        ])
    }
}
