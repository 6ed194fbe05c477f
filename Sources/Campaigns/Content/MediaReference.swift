import JSON
import Notifications

/// A picture, sound or film that goes with a push: one of the app's own, or one that stands elsewhere.
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

/// What the caller found when it looked for a content's media.
public enum MediaFinding: Hashable, Sendable {
    /// Where the phone gets it, and what it is, in the app's own words (`image/png`, `image`).
    case found(url: String, type: String?)
    case absent
    /// In words that follow on "media": "is a TIFF, which iOS cannot show".
    case refused(String)
}
