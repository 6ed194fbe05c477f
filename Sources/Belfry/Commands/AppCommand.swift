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
            abstract: "Add an app, with Apple's signing key for it.",
            discussion: """
                Example:

                  belfry app create --name "My App" --bundle-id com.example.app \\
                    --p8 AuthKey_ABC1234567.p8 --key-id ABC1234567 --team-id DEF1234567
                """)

        @OptionGroup var options: SettingsOptions

        @Option(help: "What people call the app.")
        var name: String

        @Option(help: "The app's bundle id.")
        var bundleID: String

        @Option(help: "Apple's signing key, a .p8 file. It can be added later through the API.")
        var p8: String?

        @Option(help: "The key's id, ten letters and digits.")
        var keyID: String?

        @Option(help: "The team's id, ten letters and digits.")
        var teamID: String?

        func validate() throws {
            guard [p8, keyID, teamID].allSatisfy({ $0 == nil }) || [p8, keyID, teamID].allSatisfy({ $0 != nil }) else {
                throw ValidationError("--p8, --key-id and --team-id go together.")
            }
        }

        func run() async throws {
            let settings = AppSettings(name: name, bundleID: try checked("bundle-id") { try BundleID(bundleID) })
            var credential: (key: SigningKey, keyID: KeyID, teamID: TeamID)?
            if let p8, let keyID, let teamID {
                credential = (
                    try checked("p8") { try SigningKey(pem: try TextFile.read(p8)) },
                    try checked("key-id") { try KeyID(keyID) }, try checked("team-id") { try TeamID(teamID) }
                )
            }
            let prepared = credential
            try await DatabaseSession.run(options) { stores in
                let apps = stores.apps
                let app = try await apps.create(settings)
                if let prepared {
                    _ = try await stores.credentials.create(
                        app: app.id, keyID: prepared.keyID, teamID: prepared.teamID, key: prepared.key,
                        environments: [.production, .development])
                }
                print("App \(app.id) \"\(name)\" was added\(prepared == nil ? ", without a signing key" : "").")
                print("A key for its phones:  belfry key create --app \(app.id) --kind publishable --name phones")
            }
        }
    }
}

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make API keys.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an API key and print it, once.",
            discussion: """
                A secret key is for your servers; without --app it may do everything. A publishable key goes into an \
                app: with it a phone can register itself and acknowledge pushes, and nothing else.
                """)

        @OptionGroup var options: SettingsOptions

        @Option(help: "The app's number. A secret key without it is an administrator's.")
        var app: String?

        @Option(help: "secret or publishable.")
        var kind = "secret"

        @Option(help: "What the key is for, to tell it from others.")
        var name: String

        func run() async throws {
            guard let kind = APIKey.Kind(rawValue: kind) else {
                throw ValidationError("--kind is secret or publishable.")
            }
            let app = try app.map { text in
                guard let id = AppID(text) else { throw ValidationError("--app is an app's number, like 1.") }
                return id
            }
            guard kind == .secret || app != nil else { throw ValidationError("A publishable key needs --app.") }
            try await DatabaseSession.run(options) { stores in
                let made = try await stores.apiKeys.create(
                    app: app, kind: kind, name: name, scopes: kind == .secret ? Set(Scope.allCases) : [])
                print(made.text)
            }
        }
    }
}
