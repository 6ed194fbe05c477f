/// Limits on requests to the API, in requests per second.
public struct RateLimits: Hashable, Sendable {
    /// Of each secret key; 0: no limit. Publishable keys have none, since all phones of an app share one.
    public var perKey: Int
    /// From one network: an IPv4 address, or a /64 of IPv6; 0: no limit.
    public var perAddress: Int

    public init(perKey: Int, perAddress: Int) {
        self.perKey = perKey
        self.perAddress = perAddress
    }

    public static let none = RateLimits(perKey: 0, perAddress: 0)
    /// A mobile carrier can have very many phones behind one address.
    public static let standard = RateLimits(perKey: 1_000, perAddress: 2_000)
    public static let range = 0...1_000_000
}
