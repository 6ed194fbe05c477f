public import EventLoop
import HTTPTypes

/// The proxies whose word about their clients is believed. Anybody else could write any address into a header.
public struct TrustedProxies: Sendable {
    /// The maximum number of addresses of X-Forwarded-For that are considered, from the last one on.
    static let maximumHops = 16

    private let ranges: [AddressRange]

    public init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    public func contains(_ address: SocketAddress) -> Bool {
        guard !ranges.isEmpty, let ip = address.ip else { return false }
        return ranges.contains { $0.contains(ip) }
    }

    /// The client of a request that the trusted proxy `peer` forwards: the last address of X-Forwarded-For that is not
    /// a trusted proxy. Each proxy appends the address that it was called from, so only what follows that address is
    /// believed. If all are trusted, or an entry is not an address, the result is the last one that was believed.
    func client(behind peer: SocketAddress, _ headers: HTTPFields) -> SocketAddress {
        var client = peer.unmapped
        var hops = 0
        for field in headers[values: Self.forwardedFor].reversed() {
            for entry in field.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                hops += 1
                guard hops <= Self.maximumHops, let address = Self.address(entry) else { return client }
                client = address.unmapped
                guard contains(client) else { return client }
            }
        }
        return client
    }

    /// Whether the client of a trusted proxy uses TLS, as the last proxy says; nil if it does not say.
    func isSecure(_ headers: HTTPFields) -> Bool? {
        guard let field = headers[values: Self.forwardedProto].last,
            let scheme = field.split(separator: ",", omittingEmptySubsequences: false).last
        else { return nil }
        return scheme.filter { $0 != " " && $0 != "\t" }.lowercased() == "https"
    }

    /// Reads "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]" or "[2001:db8::1]:443".
    private static func address(_ entry: Substring) -> SocketAddress? {
        var text = entry.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if let address = SocketAddress(ip: String(text), port: 0) { return address }
        guard let colon = text.lastIndex(of: ":") else { return bracketed(text, port: 0) }
        if text.hasSuffix("]") { return bracketed(text, port: 0) }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("[") { return bracketed(host, port: port) }
        // An IPv6 address with a port needs brackets.
        return host.contains(":") ? nil : SocketAddress(ip: String(host), port: port)
    }

    private static func bracketed(_ text: Substring, port: UInt16) -> SocketAddress? {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.contains(":") else { return nil }
        return SocketAddress(ip: String(text.dropFirst().dropLast()), port: port)
    }

    private static let forwardedFor = name("X-Forwarded-For")
    private static let forwardedProto = name("X-Forwarded-Proto")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
        return name
    }
}
