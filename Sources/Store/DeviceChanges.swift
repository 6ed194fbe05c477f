public import Campaigns
public import Notifications

/// A value that may not have been mentioned: absent, null and a value are three things.
public enum Given<Value: Sendable>: Sendable {
    /// Stays as it is.
    case absent
    /// Is cleared.
    case null
    case value(Value)

    var isGiven: Bool { if case .absent = self { false } else { true } }
    var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// This, unless a later word on the matter was given.
    func overridden(by later: Given) -> Given { later.isGiven ? later : self }
}

extension Given: Equatable where Value: Equatable {}

/// Whether the app may show notifications (UNAuthorizationStatus). The raw value is the database's.
public enum AuthorizationStatus: Int16, CaseIterable, Hashable, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4

    /// What a device has that does not say.
    public static let standard = AuthorizationStatus.authorized

    public var name: String {
        switch self {
        case .notDetermined: "not_determined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

/// What an app says about one of its installations; what it does not mention stays as it is.
public struct DeviceChanges: Equatable, Sendable {
    public var token: DeviceToken?
    public var environment: PushEnvironment?
    public var authorization: AuthorizationStatus?
    public var userID = Given<String>.absent
    public var locale = Given<String>.absent
    public var timeZone = Given<String>.absent
    public var osVersion = Given<String>.absent
    public var appVersion = Given<String>.absent
    public var model = Given<String>.absent
    /// The text of a JSON object that jsonb can hold; it replaces all attributes.
    public var attributes: [UInt8]?

    public init() {}

    /// These changes and then `later` ones.
    func followed(by later: DeviceChanges) -> DeviceChanges {
        var both = self
        both.token = later.token ?? token
        both.environment = later.environment ?? environment
        both.authorization = later.authorization ?? authorization
        both.userID = userID.overridden(by: later.userID)
        both.locale = locale.overridden(by: later.locale)
        both.timeZone = timeZone.overridden(by: later.timeZone)
        both.osVersion = osVersion.overridden(by: later.osVersion)
        both.appVersion = appVersion.overridden(by: later.appVersion)
        both.model = model.overridden(by: later.model)
        both.attributes = later.attributes ?? attributes
        return both
    }
}

/// One request about one installation.
public struct Registration: Sendable {
    public enum Kind: Sendable {
        /// Makes the device if there is none; the changes name token and environment.
        case register
        /// Changes a device that is there.
        case update
    }

    /// Bytes of an installation's name, which the app makes: a random secret.
    public static let maximumInstallationLength = 200

    public let kind: Kind
    public let app: App.ID
    public let installation: String
    public let changes: DeviceChanges

    public init(_ kind: Kind, app: App.ID, installation: String, changes: DeviceChanges) {
        precondition(
            kind == .update || changes.token != nil && changes.environment != nil,
            "a registration names its token and environment")
        self.kind = kind
        self.app = app
        self.installation = installation
        self.changes = changes
    }
}
