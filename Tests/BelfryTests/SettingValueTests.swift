import ArgumentParser
import Configuration
import Foundation
import JSON
import TestSupport
import Testing

@testable import Belfry
@testable import EventLoop

/// Values that would be taken for something else, or ignored, are errors that say what to do.
struct SettingValueTests {
    private static func load(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> Settings {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        return try SettingsOptions.parse(arguments).load(reader)
    }

    private static func refusal(_ work: () throws -> Void) -> String {
        let error = #expect(throws: (any Error).self) { try work() }
        return error.map { "\($0)" } ?? ""
    }

    @Test(arguments: [
        ("BELFRY_APNS_CONNECTIONS", "0", "from 1 to 100"), ("BELFRY_APNS_CONNECTIONS", "-3", "from 1 to 100"),
        ("BELFRY_APNS_CONNECTIONS", "101", "from 1 to 100"), ("BELFRY_UNRESOLVED", "0", "must be from"),
        ("BELFRY_PORT", "65536", "from 0 to 65535, and 0 is any free one"), ("BELFRY_PORT", "-1", "is not a port"),
        ("BELFRY_LEASE_SECONDS", "0", "from 1 to 86400"),
        ("BELFRY_RETRY_SECONDS", "9223372036854775807", "from 1 to 86400"),
    ])
    func numberOutOfItsRangeIsAnError(_ name: String, _ value: String, _ message: String) {
        #expect(Self.refusal { _ = try Self.load([], [name: value]) }.contains(message))
    }

    @Test func portOfAFlagSaysItsRange() throws {
        #expect(
            Self.refusal { _ = try Self.load(["--port", "70000"]) }.contains("70000 is not a port; it must be from 0"))
        #expect(throws: (any Error).self) { try PortNumber.checked(0) }
        #expect(try PortNumber.checked(65_535) == 65_535)
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: [:]))
        var settings = Settings()
        let options = try SettingsOptions.parse(["--apns-host", "localhost", "--apns-port", "0"])
        #expect(Self.refusal { try options.loadAPNS(&settings, reader) }.contains("from 1 to 65535"))
    }

    /// Links and the addresses of media have the port.
    @Test func portZeroBecomesAFreePort() throws {
        var settings = try Self.load(["--port", "0"])
        #expect(settings.port == 0)
        try settings.choosePort()
        #expect(settings.port > 0 && settings.pageURL == "http://127.0.0.1:\(settings.port)")
        var chosen = try Self.load(["--port", "8099"])
        try chosen.choosePort()
        #expect(chosen.port == 8_099)
    }

    /// The server listens on it seconds later, when its database is ready.
    @Test func chosenPortIsNotGivenToOthers() throws {
        var settings = try Self.load(["--port", "0"])
        try settings.choosePort()
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: settings.port))
        // A program that gets any port from the kernel gets none that this socket can't have.
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        #expect(address.withPointer { bind(other, $0, $1) } != 0 && errno == EADDRINUSE)
        try Socket.listen(on: address).close()
    }

    @Test func numberOfTooManyDigitsIsNamedAsSuch() throws {
        let port = try #require(SettingName.all.first { $0.key == "belfry.port" })
        #expect(port.mistake(in: "99999999999999999999") == "is out of range: it has too many digits")
        #expect(port.mistake(in: "8080x") == "must be a whole number" && port.mistake(in: "") != nil)
        #expect(
            port.mistake(in: JSON.number(JSON.Number(decimal: "99999999999999999999") ?? 0))?.contains("digits") == true
        )
    }

    @Test(arguments: ["DATABASE_URL", "DATABASE_DIRECT_URL", "BELFRY_SEALING_KEY", "BELFRY_PUBLIC_URL"])
    func valueOfWhiteSpaceIsAnError(_ name: String) {
        let refusal = Self.refusal { _ = try Self.load([], [name: " \n"]) }
        #expect(refusal.contains("is empty") || refusal.contains("must be https://"), "\(refusal)")
    }

    @Test func emptyFlagAndEmptySecretFileAreErrors() async throws {
        #expect(Self.refusal { _ = try Self.load(["--database-url", ""]) }.contains("--database-url is empty"))
        try await ScratchFolder.with { folder in
            let file = folder.appending(path: "secret").path
            try Data("\n".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            for name in ["DATABASE_URL_FILE", "DATABASE_DIRECT_URL_FILE", "BELFRY_ADMIN_PASSWORD_FILE"] {
                let refusal = Self.refusal {
                    _ = try Self.load([], [name: file, "BELFRY_ADMIN_EMAIL": "ada@example.com"])
                }
                #expect(refusal.contains("is empty") && refusal.contains(".file"), "\(refusal)")
            }
        }
    }

    @Test(arguments: [["BELFRY_APNS_PORT": "8443"], ["BELFRY_APNS_CA_FILE": "ca.pem"]])
    func partOfAnAddressOfAPNsIsNotIgnored(_ environment: [String: String]) throws {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        var settings = Settings()
        let refusal = Self.refusal { try SettingsOptions.parse([]).loadAPNS(&settings, reader) }
        #expect(refusal.contains("BELFRY_APNS_HOST"))
    }

    @Test(arguments: ["https://localhost", "api.push.apple.com:443", "localhost/", "a b", "", "[::1]"])
    func hostOfAPNsIsAHostAlone(_ text: String) {
        #expect(Self.refusal { _ = try HostName.checked(text) }.contains("BELFRY_APNS_PORT"))
    }

    @Test(arguments: ["localhost", "api.push.apple.com", "127.0.0.1", "::1", "my_host-2"])
    func hostOrAddressIsAccepted(_ text: String) throws {
        #expect(try HostName.checked(text) == text)
    }

    @Test(arguments: [
        "https://", "https:///path", "push.example.com", "ftp://push.example.com", "https://a.example?x=1",
        "https://a.example/#x", "https://ada@a.example", "https://a.example:", "https://a.example:99999",
        "https://a b.example", "https://::1/", "https://a.example:0", "",
    ])
    func publicURLThatIsNoAddressIsRefused(_ text: String) {
        #expect(Self.refusal { _ = try PublicURL.checked(text) }.contains("such as https://push.example.com"))
    }

    @Test(arguments: [
        ("HTTPS://Push.Example.com", "https://push.example.com"), ("https://x:443/Path/", "https://x/Path/"),
        ("http://x:80", "http://x"), ("http://x:8080", "http://x:8080"), ("https://[::1]:8443", "https://[::1]:8443"),
        (" https://x\n", "https://x"),
    ])
    func publicURLHasOneForm(_ text: String, _ form: String) throws {
        #expect(try PublicURL.checked(text) == form)
    }

    @Test func fileThatOthersMayReadIsNoSecret() async throws {
        try await ScratchFolder.with { folder in
            let file = folder.appending(path: "key").path
            try Data("bfs_x\n".utf8).write(to: URL(filePath: file))
            for (mode, isUsed) in [(0o600, true), (0o644, false), (0o666, false)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
                guard !isUsed else {
                    #expect(try APIKeyArgument.read(nil, file: file) == "bfs_x")
                    continue
                }
                #expect(Self.refusal { _ = try APIKeyArgument.read(nil, file: file) }.contains("chmod"))
            }
            #expect(Self.refusal { _ = try TextFile.read(folder.path) }.contains("it is a directory"))
        }
    }

    @Test(arguments: ["", "\u{3164}", "\u{A0} ", "a\nb"])
    func nameOnTheCommandLineHasTheRuleOfTheAPI(_ name: String) {
        #expect(Self.refusal { _ = try validatedName("name", name) }.contains("--name must"))
    }
}
