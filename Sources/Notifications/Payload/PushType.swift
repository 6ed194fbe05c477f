/// What a push is for: the `apns-push-type` header, which decides topic, size and priority.
public enum PushType: String, CaseIterable, Sendable {
    case alert
    case background
    case location
    case voip
    case complication
    case fileprovider
    case mdm
    case liveactivity
    case pushtotalk
    case widgets
    case controls

    /// What follows on the bundle id in the topic; empty for none. An MDM push has no bundle id: its topic is the UID of
    /// the MDM push certificate's subject, whole.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The `apns-topic` header. A bundle id that was given with its suffix does not get it twice.
    public func topic(bundleID: BundleID) -> String {
        bundleID.text.hasSuffix(topicSuffix) ? bundleID.text : bundleID.text + topicSuffix
    }

    /// Whether it shows something that people can deny with the app's notifications.
    public var needsPermission: Bool { self == .alert }

    /// Bytes of UTF-8 in the request's body, at most, in a push to a device.
    public var maximumPayloadSize: Int {
        self == .voip ? 5120 : 4096
    }

    /// What to send when nobody has chosen. Apple itself takes 10 for a header that is absent, and then refuses a
    /// background push.
    public var defaultPriority: Priority {
        self == .background ? .powerAware : .immediate
    }

    /// Those that Apple's pages name for it; where they name none, all. Apple refuses a background push with 10.
    public var allowedPriorities: [Priority] {
        switch self {
        case .background: [.powerAware]
        case .location, .liveactivity: [.immediate, .powerAware]
        case .alert, .voip, .complication, .fileprovider, .mdm, .pushtotalk, .widgets, .controls: Priority.allCases
        }
    }
}
