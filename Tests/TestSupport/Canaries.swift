import Crypto

/// Secrets and personal values that tests send to Belfry, and that nothing which Belfry writes for people may contain.
public struct Canaries: Sendable {
    /// A well-formed key that belongs to nobody.
    public let apiKey: String
    public let cookie: String
    /// A device token as 64 hexadecimal digits.
    public let token: String
    /// The text of a .p8 file.
    public let p8: String
    public let password: String
    public let installation: String
    public let userID: String
    public let attribute: String

    public init() throws {
        func random(_ count: Int) throws -> String { Hex.encode(try RandomBytes.make(count: count)) }
        apiKey = "bfs_" + String(Base64URL.encode(try RandomBytes.make(count: 32)))
        cookie = "canary-cookie-" + (try random(8))
        token = try random(32)
        p8 = try SigningKey.generate().pem
        password = "canary-password-" + (try random(8))
        installation = "canary-installation-" + (try random(8))
        userID = "canary-user-" + (try random(8))
        attribute = "canary-attribute-" + (try random(8))
    }

    /// The texts to search for, by name. The shown prefix of an API key is no secret, and neither is the first line of
    /// a .p8 file.
    private var needles: [(name: String, text: String)] {
        let bytes = (try? Hex.decode(token)) ?? []
        return [
            ("API key", String(apiKey.dropFirst(8))), ("cookie", cookie), ("token", String(token.prefix(32))),
            ("token in base64", String(Base64URL.encode(bytes).prefix(32))),
            ("token as bytes", bytes.prefix(6).map(\.description).joined(separator: ", ")),
            (".p8 file", String(p8.split(separator: "\n").dropFirst().first ?? "?")), ("password", password),
            ("installation", installation), ("user ID", userID), ("attribute", attribute),
        ]
    }

    /// The names of the canaries that a text contains, each with its surroundings.
    public func found(in text: String, except allowed: Set<String> = []) -> [String] {
        let text = text.lowercased()
        return needles.compactMap { name, needle in
            guard !allowed.contains(name), let range = text.firstRange(of: needle.lowercased()) else { return nil }
            let start = text.index(range.lowerBound, offsetBy: -200, limitedBy: text.startIndex) ?? text.startIndex
            return "\(name): …\(text[start..<range.upperBound])"
        }
    }
}
