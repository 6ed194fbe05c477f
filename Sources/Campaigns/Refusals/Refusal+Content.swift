public import JSON
public import Notifications

/// The template or the campaign that uses a file, by its name.
public enum MediaUser: Equatable, Sendable {
    case template(String), campaign(String)
}

/// Media, templates and segments.
extension Refusal {
    /// `reason` continues the sentence "The file …".
    public static func unsupportedMedia(_ reason: InvalidValue) -> Refusal {
        Refusal(.invalid, reason.code, "The file \(reason.message).")
    }

    public static func mediaTooLarge(_ type: MediaType) -> Refusal {
        Refusal(
            .tooLarge, "media-too-large",
            "The file is \(type.rawValue.uppercased()) and must be at most \(type.maximumSize / 1_000_000) MB: iOS shows "
                + "no larger \(type.kind.rawValue).")
    }

    public static func mediaInUse(by user: MediaUser) -> Refusal {
        let (kind, name): (Message, String) =
            switch user {
            case .template(let name): ("template", name)
            case .campaign(let name): ("campaign", name)
            }
        return Refusal(
            .conflict, "media-in-use",
            "The \(kind) “\(name)” uses this file, so the file can't be deleted. A draft can show another one; what was "
                + "sent, and every version of a template, stays readable.")
    }

    public static let templateArchived = Refusal(
        .conflict, "template-archived", "The template is archived. Take it out of the archive first, or duplicate it.")

    public static let templateInUse = Refusal(
        .conflict, "template-in-use",
        "Campaigns use this template, so it can't be deleted. Archive it to remove it from the lists.")

    public static let segmentArchived = Refusal(
        .conflict, "segment-archived", "The segment is archived. Take it out of the archive first.")

    public static let segmentInUse = Refusal(
        .conflict, "segment-in-use",
        "Segments or campaigns use this segment, so it can't be deleted. Archive it to remove it from the lists.")
}
