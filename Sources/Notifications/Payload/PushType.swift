/// The purpose of a push: the `apns-push-type` header, which determines topic, size and priority.
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

    /// The suffix of the bundle id in the topic, or empty. An MDM push has no bundle id: its topic is the UID of
    /// the MDM push certificate's subject.
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

    /// The `apns-topic` header. The suffix is not appended to a bundle id that already ends with it.
    public func topic(bundleID: BundleID) -> String {
        bundleID.text.hasSuffix(topicSuffix) ? bundleID.text : bundleID.text + topicSuffix
    }

    /// Whether it needs the permission for notifications.
    public var needsPermission: Bool { self == .alert }

    /// The largest payload of a push to a device, in bytes of UTF-8.
    public var maximumPayloadSize: Int {
        self == .voip ? 5120 : 4096
    }

    /// The priority that is sent if none is set. Apple assumes 10 if the header is absent, and rejects a background
    /// push with it.
    public var defaultPriority: Priority {
        self == .background ? .powerAware : .immediate
    }

    /// The priorities that Apple documents; all if it lists none. Apple rejects a background push with 10.
    public var allowedPriorities: [Priority] {
        switch self {
        case .background: [.powerAware]
        case .location, .liveactivity: [.immediate, .powerAware]
        case .alert, .voip, .complication, .fileprovider, .mdm, .pushtotalk, .widgets, .controls: Priority.allCases
        }
    }
}
