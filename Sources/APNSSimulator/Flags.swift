/// What Apple lets pass as far as anyone knows, and a good sender does not do.
public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The JWT has base64 padding, or characters of the standard alphabet.
    public static let looseBase64 = Flags(rawValue: 1 << 0)
    /// The JWT's signature is ASN.1 DER; JOSE says R‖S.
    public static let derSignature = Flags(rawValue: 1 << 1)
    /// `iat` lies ahead, within the tolerance.
    public static let issuedInFuture = Flags(rawValue: 1 << 2)
    public static let upperCaseID = Flags(rawValue: 1 << 3)
    public static let missingID = Flags(rawValue: 1 << 4)
    public static let missingPushType = Flags(rawValue: 1 << 5)
    public static let upperCaseToken = Flags(rawValue: 1 << 6)
    /// `aps.badge` is a string: Apple accepts it and the badge does not change.
    public static let stringBadge = Flags(rawValue: 1 << 7)
    public static let backgroundWithAlert = Flags(rawValue: 1 << 8)
    /// Without the header the priority is 10, which a background push must not have.
    public static let backgroundWithoutPriority = Flags(rawValue: 1 << 9)
    /// Not JSON, or not a dictionary. Apple's answer to it is not known.
    public static let malformedPayload = Flags(rawValue: 1 << 10)
    public static let missingAps = Flags(rawValue: 1 << 11)
    /// Its expiration had passed when it came.
    public static let expired = Flags(rawValue: 1 << 12)
    /// An apns-id that came before with another device token.
    public static let idOfAnotherToken = Flags(rawValue: 1 << 13)

    static let bitCount = 14
}
