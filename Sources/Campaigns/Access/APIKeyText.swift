/// The form of a key's text: `bfs_` or `bfp_` and 43 characters of base64url.
public enum APIKeyText {
    /// 256 bits: nobody guesses one.
    public static let randomBytes = 32
    public static let length = 4 + 43

    public static func isPlausible(_ text: String) -> Bool {
        text.utf8.count == length && (text.hasPrefix("bfs_") || text.hasPrefix("bfp_"))
    }

    public static func shownPrefix(of text: String) -> String { String(text.prefix(8)) }
}
