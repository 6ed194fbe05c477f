import JSON

/// A button that was typed for one push. Buttons are members of the payload, and the kit's service extension registers a
/// category for them before the push is shown: the app needs no category for them, and no new version. Apps without the
/// extension show the push without buttons.
public struct PushButton: Sendable, Equatable {
    /// The key of the payload that has them, beside `aps`.
    public static let payloadKey = "belfry-buttons"
    /// iOS shows no more.
    public static let maximumCount = 4

    /// The name by which acknowledgements report it.
    public var id: String
    /// In the language of the payload.
    public var title: String
    /// The address that the app opens: of the app itself, or https. Nil: the app stays in the background.
    public var link: String?
    public var isDestructive: Bool

    private enum Key: String, MemberName {
        case id, title, link, destructive
    }

    /// In Unicode scalars.
    private static let lengths = (id: 1...64, title: 1...100, link: 1...2_000)
    /// The prefix of iOS's own identifiers for a tap on the notification and for its dismissal.
    private static let reservedPrefix = "com.apple.UNNotification"

    init(_ reader: inout ObjectReader) {
        reader.require(Key.id, Key.title)
        id = reader.text(Key.id, length: Self.lengths.id) ?? ""
        title = reader.text(Key.title, length: Self.lengths.title) ?? ""
        link = reader.text(Key.link, length: Self.lengths.link)
        isDestructive = reader.bool(Key.destructive) ?? false
        if id.hasPrefix(Self.reservedPrefix) {
            reader.refuse(Key.id, "reserved", "must not begin with \(Self.reservedPrefix), which Apple reserves")
        }
        if let link, !Self.canBeOpened(link) {
            reader.refuse(
                Key.link, "link-without-scheme",
                "must begin with a scheme, like https:// or the app's own; a phone can't open it otherwise")
        }
    }

    /// A scheme (RFC 3986 §3.1), or a placeholder, which can have one.
    private static func canBeOpened(_ link: String) -> Bool {
        guard !link.hasPrefix("{{"), !link.hasPrefix("{%") else { return true }
        let scheme = link.prefix { $0 != ":" }
        return scheme.endIndex < link.endIndex && (scheme.first?.isASCIILetter ?? false)
            && scheme.allSatisfy { $0.isASCIILetter || $0.isWholeNumber && $0.isASCII || "+-.".contains($0) }
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
