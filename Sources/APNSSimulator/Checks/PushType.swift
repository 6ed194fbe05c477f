/// The values of `apns-push-type`, with the topic suffix and the maximum body size of each.
enum PushType: String, CaseIterable {
    case alert, background, location, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, widgets, controls

    /// The text after the bundle id in `apns-topic`; nil if the topic is not based on a bundle id.
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

    /// The maximum body size in bytes.
    var largestPayload: Int { self == .voip ? 5_120 : 4_096 }

    /// The priorities that Apple's pages name for the type, or all of them if the pages name none.
    var priorities: [StaticString] {
        switch self {
        case .background: ["5"]
        case .location, .liveactivity: ["10", "5"]
        case .alert, .voip, .complication, .fileprovider, .mdm, .pushtotalk, .widgets, .controls: ["10", "5", "1"]
        }
    }
}
