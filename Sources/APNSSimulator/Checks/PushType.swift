/// The values of `apns-push-type`, with the topic's suffix and the largest body of each.
enum PushType: String, CaseIterable {
    case alert, background, location, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, widgets, controls

    /// What follows the bundle id in `apns-topic`; nil when the topic is no bundle id at all.
    var topicSuffix: String? {
        switch self {
        case .alert, .background: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .mdm: nil
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// Bytes.
    var largestPayload: Int { self == .voip ? 5_120 : 4_096 }

    /// Those that Apple's pages name for it; where they name none, all.
    var priorities: [StaticString] {
        switch self {
        case .background: ["5"]
        case .location, .liveactivity: ["10", "5"]
        case .alert, .voip, .complication, .fileprovider, .mdm, .pushtotalk, .widgets, .controls: ["10", "5", "1"]
        }
    }
}
