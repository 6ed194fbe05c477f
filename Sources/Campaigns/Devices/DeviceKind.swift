/// The purpose of a device token: an installation has a different token for each. The raw value is the database's.
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
        case .liveActivityStart: "live_activity_start"
        case .liveActivityUpdate: "live_activity_update"
        case .widget: "widget"
        case .control: "control"
        case .complication: "complication"
        case .location: "location"
        case .pushToTalk: "push_to_talk"
        case .fileProvider: "file_provider"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
