public import JSON
import Notifications

/// An image, a sound or a video that a push shows: one stored for the app, or a URL elsewhere.
public enum MediaReference: Hashable, Sendable {
    case stored(id: String)
    case external(url: String)

    var json: JSON {
        switch self {
        case .stored(let id): .object([JSON.Member("id", .string(id))])
        case .external(let url): .object([JSON.Member("url", .string(url))])
        }
    }

    init?(json: JSON) {
        guard case .object(let members) = json, members.count == 1, let member = members.first,
            case .string(let text) = member.value, !text.isEmpty
        else { return nil }
        switch member.key {
        case "id": self = .stored(id: text)
        case "url": self = .external(url: text)
        default: return nil
        }
    }
}

/// The result of looking up a content's media.
public enum MediaLookupResult: Hashable, Sendable {
    /// The URL that the device loads, and the type as the app names it (`image/png`, `image`).
    case found(url: String, type: String?)
    case absent
    /// With a message that continues after "media": "is a TIFF, which iOS cannot show".
    case refused(Message)
}
