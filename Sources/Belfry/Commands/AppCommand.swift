import ArgumentParser
import Campaigns
import Crypto
import EventLoop
import Logging
import Notifications
import Postgres
import Store

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Add apps.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an app and the Apple signing key for its pushes.",
            discussion: """
                Example:

                  belfry app create --name "My App" --bundle-id com.example.app \\
                    --p8 AuthKey_ABC1234567.p8 --team-id DEF1234567
                """)

        @OptionGroup var options: SettingsOptions

        @Option(help: "Display name of the app.")
        var name: String

        @Option(help: "Bundle ID of the app.")
        var bundleID: String

        @Option(help: "Signing key from Apple, a .p8 file. You can also add it later through the API.")
        var p8: String?

        @Option(help: "Key ID of the signing key, ten letters and digits. [default: as in the file's name]")
        var keyID: String?

        @Option(help: "Team ID at Apple, ten letters and digits.")
        var teamID: String?

        func validate() throws {
            guard (p8 == nil) == (teamID == nil), p8 != nil || keyID == nil else {
                throw ValidationError("--p8 and --team-id must be given together; --key-id needs both.")
            }
        }

        func run() async throws {
            let settings = AppSettings(
                name: try validatedName("name", name), bundleID: try validated("bundle-id") { try BundleID(bundleID) })
            var credential: (key: SigningKey, keyID: KeyID, teamID: TeamID)?
            if let p8, let teamID {
                credential = (
                    try signingKey(p8), try keyIdentifier(keyID, p8: p8),
                    try validated("team-id") { try TeamID(teamID) }
                )
            }
            let prepared = credential
            try await DatabaseSession.run(options) { stores in
                let apps = stores.apps
                let app = try await apps.create(settings)
                try await stores.recordOnConsole("apps.create", "/v1/apps/\(app.id)", app: app.id)
                if let prepared {
                    _ = try await stores.credentials.create(
                        app: app.id, keyID: prepared.keyID, teamID: prepared.teamID, key: prepared.key,
                        environments: [.production, .development])
                }
                print("App \(app.id) \"\(name)\" added\(prepared == nil ? ", without a signing key" : "").")
                print("Create a key for its devices:")
                print("  belfry key create --app \(app.id) --kind publishable --name devices")
            }
        }
    }
}
