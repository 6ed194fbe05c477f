import API
import ArgumentParser
import Configuration
import EventLoop
import HTTPServer

/// The limits of the web server as command-line options. The help of each names its environment variable.
struct ServerOptions: ParsableArguments {
    @Option(
        help: """
            Maximum number of connections. [BELFRY_MAX_CONNECTIONS; default: what the limit on open files allows, at \
            most 65,280]
            """)
    var maxConnections: Int?

    @Option(
        help: """
            Maximum number of connections from one IPv4 address, or from one /64 of IPv6. \
            [BELFRY_MAX_CONNECTIONS_PER_ADDRESS; default: a quarter of the maximum]
            """)
    var maxConnectionsPerAddress: Int?

    @Option(help: "Maximum requests on one connection. [BELFRY_MAX_REQUESTS_PER_CONNECTION; default 1,000,000]")
    var maxRequestsPerConnection: Int?

    @Option(help: "Maximum size of a request's header, in bytes. [BELFRY_MAX_HEADER_BYTES; default 16,384]")
    var maxHeaderBytes: Int?

    @Option(help: "Seconds in which the header of a request must arrive. [BELFRY_HEADER_TIMEOUT; default 10]")
    var headerTimeout: Int?

    @Option(
        help: "Seconds in which a body, or each MiB of a longer one, must arrive. [BELFRY_BODY_TIMEOUT; default 120]")
    var bodyTimeout: Int?

    @Option(help: "Seconds in which a client must read 64 KiB of a response. [BELFRY_WRITE_TIMEOUT; default 30]")
    var writeTimeout: Int?

    @Option(help: "Seconds between two requests before a connection is closed. [BELFRY_IDLE_TIMEOUT; default 75]")
    var idleTimeout: Int?

    @Option(
        help: """
            Proxies in front of Belfry, addresses and ranges separated by commas, such as 10.0.0.0/8,::1. Belfry \
            believes their X-Forwarded-For and X-Forwarded-Proto. [BELFRY_TRUSTED_PROXIES; default: none]
            """)
    var trustedProxies: String?

    @Option(
        help: """
            Maximum requests per second with one secret API key, over ten seconds; 0 for no limit. \
            [BELFRY_RATE_LIMIT_KEY; default 1,000; none in a demo]
            """)
    var rateLimitKey: Int?

    @Option(
        help: """
            Maximum requests per second from one IPv4 address, or from one /64 of IPv6, over ten seconds; 0 for no \
            limit. [BELFRY_RATE_LIMIT_ADDRESS; default 2,000; none in a demo]
            """)
    var rateLimitAddress: Int?

    func rateLimits(_ reader: ConfigReader, otherwise standard: RateLimits) throws -> RateLimits {
        RateLimits(
            perKey: try number(rateLimitKey, "rate-limit-key", RateLimits.range, reader) ?? standard.perKey,
            perAddress: try number(rateLimitAddress, "rate-limit-address", RateLimits.range, reader)
                ?? standard.perAddress)
    }

    private func number(_ flag: Int?, _ name: String, _ range: ClosedRange<Int>, _ reader: ConfigReader) throws -> Int?
    {
        let key = name.split(separator: "-").joined(separator: ".")
        guard let number = flag ?? reader.int(forKey: ConfigKey(stringLiteral: "belfry.\(key)")) else { return nil }
        guard range.contains(number) else {
            throw ValidationError("--\(name) must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Flags take precedence over the environment, and the environment over the file.
    func configure(
        _ server: inout ServerConfiguration, _ reader: ConfigReader, _ descriptors: DescriptorBudget
    ) throws {
        func number(_ flag: Int?, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
            try self.number(flag, name, range, reader)
        }
        func set(_ value: inout Int, _ flag: Int?, _ name: String, _ range: ClosedRange<Int> = 1...1_000_000) throws {
            value = try number(flag, name, range) ?? value
        }
        func set(_ value: inout Duration, _ flag: Int?, _ name: String) throws {
            value = try number(flag, name, Self.seconds).map { .seconds($0) } ?? value
        }
        server.maximumConnections = try descriptors.connections(wanted: wantedConnections(reader))
        server.maximumConnectionsPerAddress = max(1, server.maximumConnections / Self.addressShare)
        try set(&server.maximumConnectionsPerAddress, maxConnectionsPerAddress, "max-connections-per-address")
        try set(
            &server.maximumRequestsPerConnection, maxRequestsPerConnection, "max-requests-per-connection",
            1...1_000_000_000)
        try set(&server.limits.headerBytes, maxHeaderBytes, "max-header-bytes", Self.headerBytes)
        try set(&server.headerDeadline, headerTimeout, "header-timeout")
        try set(&server.bodyDeadline, bodyTimeout, "body-timeout")
        try set(&server.writeDeadline, writeTimeout, "write-timeout")
        try set(&server.idleDeadline, idleTimeout, "idle-timeout")
        server.bodyProgressDeadline = min(server.bodyProgressDeadline, server.bodyDeadline)
        server.trustedProxies = try proxies(trustedProxies ?? reader.string(forKey: "belfry.trusted.proxies") ?? "")
    }

    /// Nil for as many as the limit on open files allows.
    func wantedConnections(_ reader: ConfigReader) throws -> Int? {
        try number(maxConnections, "max-connections", 1...1_000_000, reader)
    }

    /// One address may use this fraction of all connections.
    private static let addressShare = 4
    private static let headerBytes = 1_024...1_048_576
    private static let seconds = 1...86_400

    private func proxies(_ text: String) throws -> TrustedProxies {
        TrustedProxies(
            try text.split(separator: ",").map { entry in
                guard let range = AddressRange(String(entry).trimmed) else {
                    throw ValidationError(
                        """
                        "\(String(entry).trimmed)" in --trusted-proxies is neither an IP address nor a range such as \
                        10.0.0.0/8.
                        """)
                }
                return range
            })
    }
}
