import Foundation
import JSON
import TestSupport
import Testing

@testable import Belfry

struct SettingNameTests {
    @Test(
        arguments: [
            ("BELFRY_PROT", "80", "BELFRY_PROT is unknown; did you mean BELFRY_PORT?"),
            ("BELFRY__PORT", "80", "did you mean BELFRY_PORT?"),
            ("BELFRY_LOGLEVEL", "info", "did you mean BELFRY_LOG_LEVEL?"),
            ("BELFRY_WHATEVER_IT_IS", "1", "is unknown. \"belfry help serve\" lists the settings."),
            ("BELFRY_PORT", "eighty", "BELFRY_PORT must be a whole number."),
            ("BELFRY_UNSAFE_SERVER", "yes", "must be true or false."),
            ("BELFRY_PORT", "tcp://10.0.0.1:8080", "set enableServiceLinks: false."),
        ])
    func unknownVariablesAndWrongValuesAreErrors(_ name: String, _ value: String, _ message: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try EnvironmentSettings([name: value, "PATH": "/bin"]) }
        #expect(failure?.description.contains(message) == true)
    }

    @Test func variablesOfOthersAndEmptyOnesAreLeftAlone() throws {
        let settings = try EnvironmentSettings([
            "BELFRY_PORT": "80", "BELFRY_APNS_PORT": "", "BELFRY_POSTGRES_BIN": "/x", "BELFRY_API_KEY": "k",
            "BELFRY_TEST_ICU_LOCALE": "und", "BELFRY_SERVICE_HOST": "10.0.0.1", "BELFRY_PORT_8080_TCP": "tcp://x",
            "DATABASE_NAME": "other",
        ])
        #expect(settings.variables["BELFRY_APNS_PORT"] == nil && settings.variables["BELFRY_PORT"] == "80")
    }

    @Test(
        arguments: [
            (#"{"belfry": {"prot": 8080}}"#, "belfry.prot is unknown; did you mean belfry.port?"),
            (#"{"Belfry": {"port": 8080}}"#, "Belfry is unknown"),
            (#"{"belfry": {"port": "8080"}}"#, "belfry.port must be a whole number"),
            (#"{"belfry": {"host": 7}}"#, "belfry.host must be a string"),
            (#"{"belfry": {"port": null}}"#, "belfry.port must be a whole number"),
            (#"{"belfry": {"apns": 7}}"#, "belfry.apns must be an object"),
            (#"{"belfry": {"rate.limit": {"key": 5}}}"#, "must be nested"),
            (#"{"belfry": {"port": 1, "port": 2}}"#, "is not JSON"),
            (#"[]"#, "the document must be an object"),
            (#"{"belfry": "#, "is not JSON"),
        ])
    func mistakesInTheFileAreErrors(_ content: String, _ message: String) async throws {
        try await ScratchFolder.with { folder in
            let file = try Self.write(content, 0o600, in: folder)
            let failure = await #expect(throws: CommandFailure.self) {
                _ = try await SettingsFile(path: file).provider()
            }
            #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
        }
    }

    @Test func fileThatOthersMayChangeOrWhoseSecretsTheyMayReadIsRefused() async throws {
        try await ScratchFolder.with { folder in
            let plain = #"{"belfry": {"port": 8080, "apns": {"ca": {"file": "x"}}}}"#
            let secret = #"{"database": {"url": "postgres://a:b@c/d"}}"#
            for (content, mode, isUsed) in [
                (plain, 0o644, true), (plain, 0o666, false), (plain, 0o664, false), (secret, 0o600, true),
                (secret, 0o644, false), (secret, 0o604, false),
            ] {
                let file = SettingsFile(path: try Self.write(content, mode, in: folder))
                if isUsed {
                    _ = try await file.provider()
                } else {
                    let failure = await #expect(throws: CommandFailure.self) { _ = try await file.provider() }
                    #expect(failure?.description.contains("chmod") == true)
                }
            }
            await #expect(throws: CommandFailure.self) {
                _ = try await SettingsFile(path: folder.appending(path: "none").path).provider()
            }
        }
    }

    /// The names that the sources read are those of the list, and the operator's table has each of them.
    @Test func listHasExactlyTheSettingsThatAreReadAndDocumented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let sources = try ["Wiring", "Monitoring"].flatMap { name in
            let folder = root.appending(path: "Sources/Belfry/\(name)")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        }.joined()
        var read = Set(sources.matches(of: /forKey: "([a-z.]+)"/).map { String($0.output.1) })
        read.formUnion(
            sources.matches(of: /(?:number\(|&server[a-zA-Z.]+, )[a-zA-Z]+, "([a-z-]+)"/)
                .map { "belfry." + $0.output.1.replacing("-", with: ".") })
        for secret in sources.matches(of: /secret\(forKey: "([a-z.]+)"/) { read.insert(secret.output.1 + ".file") }
        let names = Set(SettingName.all.map(\.key))
        #expect(names.subtracting(read) == [] && read.subtracting(names) == [])
        #expect(names.count == SettingName.all.count)

        let page = try String(contentsOf: root.appending(path: "Docs/operations.md"), encoding: .utf8)
        for setting in SettingName.all { #expect(page.contains("`\(setting.variable)`"), "\(setting.variable)") }
    }

    private static func write(_ content: String, _ mode: Int, in folder: URL) throws -> String {
        let path = folder.appending(path: "settings-\(UUID().uuidString).json").path
        try Data(content.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }
}
