public import Postgres

/// What a device's token is for: a phone has another token for each. The raw value is the database's.
public enum DeviceKind: Int16, CaseIterable, Hashable, Sendable {
    case alert = 0
    case voip = 1
    /// Starts Live Activities (iOS 17.2); there is one per installation.
    case liveActivityStart = 2
    /// Updates one Live Activity, which the device's activity names.
    case liveActivityUpdate = 3
    case widget = 4
    case control = 5
    case complication = 6
    case location = 7
    case pushToTalk = 8
    case fileProvider = 9

    public var name: String {
        switch self {
        case .alert: "alert"
        case .voip: "voip"
        case .liveActivityStart: "live-activity-start"
        case .liveActivityUpdate: "live-activity-update"
        case .widget: "widget"
        case .control: "control"
        case .complication: "complication"
        case .location: "location"
        case .pushToTalk: "push-to-talk"
        case .fileProvider: "file-provider"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

/// What tells the devices of an app apart: an installation has one for each kind of token, and one for each Live
/// Activity under way.
public struct DeviceAddress: Hashable, Sendable {
    /// Bytes of an installation's name, which the app makes: a random secret.
    public static let maximumInstallationLength = 200
    /// Bytes.
    public static let maximumActivityLength = 200

    public let installation: String
    public let kind: DeviceKind
    /// ActivityKit's id of the Live Activity; empty for every kind but `liveActivityUpdate`.
    public let activity: String

    public init(_ installation: String, kind: DeviceKind = .alert, activity: String = "") {
        precondition((kind == .liveActivityUpdate) == !activity.isEmpty, "an activity goes with its updates")
        self.installation = installation
        self.kind = kind
        self.activity = activity
    }

    /// Whether an installation may have this name: visible ASCII, so that it stands in an address as it is.
    public static func isInstallation(_ name: String) -> Bool {
        1...maximumInstallationLength ~= name.utf8.count && name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

extension DeviceAddress: Comparable {
    public static func < (left: DeviceAddress, right: DeviceAddress) -> Bool {
        if left.installation != right.installation { return left.installation < right.installation }
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return left.activity < right.activity
    }
}

extension DeviceKind: PostgresEncodable, PostgresDecodable {}
