public import JSON

/// The identifier of a provider key (.p8): ten upper-case letters and digits, the `kid` of the provider token.
public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Also accepts the name of Apple's file, which has the identifier in it.
    public init(_ text: String) throws(InvalidValue) {
        self.text = try AppleIdentifier.read(Self.part(ofFileName: text) ?? text)
    }

    /// Reads the name or the path of a file as Apple names it: `AuthKey_ABC123DEFG.p8`. Browsers add " (1)" to a second
    /// download. Nil for other names.
    public init?(fileName: String) {
        guard let part = Self.part(ofFileName: fileName), let id = try? KeyID(part) else { return nil }
        self = id
    }

    private static func part(ofFileName name: String) -> String? {
        let file = name.withoutPastedMarks.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let pattern = /(?i)(?:AuthKey|APNsAuthKey|ApiKey)_([A-Z0-9]{10})(?:[ _-]?\(?\d{1,3}\)?)?(?:\.p8)?(?:\.txt)?/
        return file.wholeMatch(of: pattern).map { String($0.1) }
    }

    public var description: String { text }
}
