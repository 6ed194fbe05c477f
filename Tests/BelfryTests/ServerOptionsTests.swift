import API
import ArgumentParser
import Configuration
import EventLoop
import HTTPServer
import Testing

@testable import Belfry

struct ServerOptionsTests {
    private func configuration(
        _ arguments: [String] = [], _ environment: [String: String] = [:], descriptors: Int = 1_256
    ) throws -> ServerConfiguration {
        var server = ServerConfiguration(address: .loopback(port: 0))
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        try ServerOptions.parse(arguments).configure(
            &server, reader, DescriptorBudget(descriptors: descriptors))
        return server
    }

    @Test func rateLimitsAreSettingsAndZeroSwitchesThemOff() throws {
        func limits(_ arguments: [String], _ environment: [String: String] = [:]) throws -> RateLimits {
            let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
            return try ServerOptions.parse(arguments).rateLimits(reader, otherwise: .standard)
        }
        #expect(try limits([]) == .standard)
        #expect(
            try limits(["--rate-limit-key", "0"], ["BELFRY_RATE_LIMIT_ADDRESS": "5"])
                == RateLimits(perKey: 0, perAddress: 5))
        #expect(throws: (any Error).self) { try limits(["--rate-limit-address", "-1"]) }
    }

    @Test func connectionsAreWhatDescriptorsAllowAndOneAddressGetsAQuarter() throws {
        let server = try configuration()
        #expect(server.maximumConnections == 1_000)
        #expect(server.maximumConnectionsPerAddress == 250)
    }

    @Test func flagsTakePrecedenceOverTheEnvironment() throws {
        let environment = [
            "BELFRY_MAX_CONNECTIONS": "800", "BELFRY_MAX_CONNECTIONS_PER_ADDRESS": "7", "BELFRY_HEADER_TIMEOUT": "3",
            "BELFRY_BODY_TIMEOUT": "4", "BELFRY_WRITE_TIMEOUT": "5", "BELFRY_IDLE_TIMEOUT": "6",
            "BELFRY_MAX_REQUESTS_PER_CONNECTION": "9", "BELFRY_MAX_HEADER_BYTES": "2048",
            "BELFRY_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
        ]
        let server = try configuration(["--max-connections", "500"], environment)
        #expect(server.maximumConnections == 500)
        #expect(server.maximumConnectionsPerAddress == 7)
        #expect(server.headerDeadline == .seconds(3))
        #expect(server.bodyDeadline == .seconds(4) && server.bodyProgressDeadline == .seconds(4))
        #expect(server.writeDeadline == .seconds(5) && server.idleDeadline == .seconds(6))
        #expect(server.maximumRequestsPerConnection == 9 && server.limits.headerBytes == 2_048)
        #expect(try server.trustedProxies.contains(#require(SocketAddress(ip: "::1", port: 1))))
        #expect(try server.trustedProxies.contains(#require(SocketAddress(ip: "10.1.2.3", port: 1))))
        #expect(try !server.trustedProxies.contains(#require(SocketAddress(ip: "11.1.2.3", port: 1))))
    }

    @Test(
        arguments: [
            (["--max-connections", "0"], "--max-connections must be from 1 to 1000000."),
            (["--max-connections", "1001"], "but needs 1257"),
            (["--idle-timeout", "0"], "--idle-timeout must be from 1 to 86400."),
            (["--max-header-bytes", "10"], "--max-header-bytes must be from 1024 to 1048576."),
            (["--trusted-proxies", "10.0.0.0/8,proxy"], "\"proxy\" in --trusted-proxies is neither an IP address"),
        ])
    func impossibleLimitsAreRefused(arguments: [String], message: String) {
        let error = #expect(throws: (any Error).self) { try configuration(arguments) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
    }
}
