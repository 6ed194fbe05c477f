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

/// What an app says about one of its devices; what it does not mention stays as it is.
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
    /// They replace all attributes.
    public var attributes: DeviceAttributes?
    /// The text of a JSON object, by `NotificationSetting`; it replaces all settings.
    public var settings: [UInt8]?
    /// Sorted, and each once; they replace all tags. Without control characters.
    public var tags: [String]?
    /// Keys of topics, sorted, and each once; they replace all opt-outs.
    public var optOuts: [String]?
    /// Whether the device is offered for test pushes, and what people call it.
    public var isTest: Bool?
    public var nickname = Given<String>.absent

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
        both.settings = later.settings ?? settings
        both.tags = later.tags ?? tags
        both.optOuts = later.optOuts ?? optOuts
        both.isTest = later.isTest ?? isTest
        both.nickname = nickname.overridden(by: later.nickname)
        return both
    }
}

/// The app's own facts about a device.
public struct DeviceAttributes: Equatable, Sendable {
    /// The text of a JSON object that jsonb can hold.
    public var text: [UInt8]
    /// The bytes that each value takes at most where a template shows it, inside a JSON string and without its quotes.
    public var lengths: [Length]

    public struct Length: Equatable, Sendable {
        public let name: String
        public let bytes: Int

        public init(_ name: String, _ bytes: Int) {
            self.name = name
            self.bytes = bytes
        }
    }

    public init(text: [UInt8], lengths: [Length]) {
        self.text = text
        self.lengths = lengths
    }

    public static let none = DeviceAttributes(text: Array("{}".utf8), lengths: [])
}

/// The texts that Belfry itself knows of a device. A template names them like attributes, with a dollar sign in front.
public enum DeviceText: Int, CaseIterable, Hashable, Sendable {
    case userID, locale, timeZone, osVersion, appVersion, model

    public var name: String {
        switch self {
        case .userID: "$user_id"
        case .locale: "$locale"
        case .timeZone: "$time_zone"
        case .osVersion: "$os_version"
        case .appVersion: "$app_version"
        case .model: "$model"
        }
    }
}

extension DeviceChanges {
    subscript(_ text: DeviceText) -> Given<String> {
        switch text {
        case .userID: userID
        case .locale: locale
        case .timeZone: timeZone
        case .osVersion: osVersion
        case .appVersion: appVersion
        case .model: model
        }
    }
}

/// One request about one device.
public struct Registration: Sendable {
    public enum Kind: Sendable {
        /// Makes the device if there is none; the changes name token and environment.
        case register
        /// Changes a device that is there.
        case update
    }

    public let kind: Kind
    public let app: App.ID
    public let address: DeviceAddress
    public let changes: DeviceChanges

    public init(_ kind: Kind, app: App.ID, address: DeviceAddress, changes: DeviceChanges) {
        precondition(
            kind == .update || changes.token != nil && changes.environment != nil,
            "a registration names its token and environment")
        self.kind = kind
        self.app = app
        self.address = address
        self.changes = changes
    }
}
