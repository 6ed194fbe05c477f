import Administration
import ArgumentParser
import Campaigns
import Postgres
import Store

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Create, list, replace and revoke API keys.",
        subcommands: [Create.self, List.self, Rotate.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an API key and print it. It is shown only once.",
            discussion: """
                A secret key is for your servers; without --app it is an administrator's key, which can do everything. \
                A publishable key is built into an app: with it a device can register itself, acknowledge pushes, and \
                read the app's topics, notification categories and local plan.
                """)

        @OptionGroup var options: SettingsOptions

        @Option(help: "Number of the app. A secret key without an app is an administrator's key.")
        var app: String?

        @Option(help: "Kind of key: secret or publishable.")
        var kind = "secret"

        @Option(help: "Name that tells the key from others.")
        var name: String

        @Option(help: "Days until the key expires. Without it, the key does not expire.")
        var days: Int?

        func validate() throws {
            guard let days else { return }
            guard (1...3_650).contains(days) else { throw ValidationError("--days must be from 1 to 3,650.") }
        }

        func run() async throws {
            guard let kind = APIKey.Kind(rawValue: kind) else {
                throw ValidationError("--kind must be secret or publishable.")
            }
            let app = try app.map { text in
                guard let id = AppID(text) else {
                    throw ValidationError("--app must be the number of an app, such as 1.")
                }
                return id
            }
            let name = try validatedName("name", name)
            guard kind == .secret || app != nil else { throw ValidationError("A publishable key requires --app.") }
            try await DatabaseSession.run(options) { stores in
                let made = try await stores.apiKeys.create(
                    app: app, kind: kind, name: name, scopes: kind == .secret ? Set(Permission.allCases) : [],
                    expiresAt: days.map { Timestamp.now + .seconds($0 * 86_400) })
                let owner = app.map { "/v1/apps/\($0)" } ?? "/v1"
                try await stores.recordOnConsole("keys.create", "\(owner)/keys/\(made.key.id)", app: app)
                print(made.text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all API keys, newest first, without their texts.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                let now = Timestamp.now
                print(Self.line("ID", "APP", "KIND", "PREFIX", "CREATED", "LAST USED", "STATE", "NAME"))
                for key in try await stores.apiKeys.all() {
                    print(
                        Self.line(
                            key.id.description, key.app?.description ?? "all", key.kind.rawValue, key.prefix,
                            Self.day(key.createdAt), key.lastUsedAt.map(Self.day) ?? "never", Self.state(key, now),
                            key.name.printable))
                }
            }
        }

        private static func line(
            _ id: String, _ app: String, _ kind: String, _ prefix: String, _ created: String,
            _ used: String, _ state: String, _ name: String
        ) -> String {
            id.padded(to: 6) + app.padded(to: 6) + kind.padded(to: 13) + prefix.padded(to: 10)
                + created.padded(to: 12) + used.padded(to: 12) + state.padded(to: 20) + name
        }

        private static func state(_ key: APIKey, _ now: Timestamp) -> String {
            if let revoked = key.revokedAt { return "revoked " + day(revoked) }
            if key.isStopped, !key.hasExpired(at: now) { return "stopped" }
            guard let expiry = key.expiresAt else { return "valid" }
            return (key.hasExpired(at: now) ? "expired " : "until ") + day(expiry)
        }

        /// Without the time of day.
        private static func day(_ time: Timestamp) -> String {
            String(Instant(microseconds: time.microseconds).rfc3339.prefix(10))
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace an API key: print a new one like it, and let the old one expire.")

        @OptionGroup var options: SettingsOptions

        @Argument(help: "ID of the key, see `belfry key list`.")
        var id: String

        @Option(help: "Hours for which the old key goes on, up to 720.")
        var overlapHours = 24

        func validate() throws {
            guard (0...720).contains(overlapHours) else {
                throw ValidationError("--overlap-hours must be from 0 to 720.")
            }
        }

        func run() async throws {
            guard let id = APIKey.ID(id) else { throw ValidationError("The ID must be a number, such as 3.") }
            try await DatabaseSession.run(options) { stores in
                let old = try await stores.apiKeys.find(id)
                let made = try await stores.apiKeys.rotate(
                    old, expiresAt: old.expiresAt.map { Timestamp.now + ($0 - old.createdAt) },
                    overlap: .seconds(overlapHours * 3_600))
                print(made.text)
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an API key. Servers that run refuse it within five seconds.")

        @OptionGroup var options: SettingsOptions

        @Argument(help: "ID of the key, see `belfry key list`.")
        var id: String

        func run() async throws {
            guard let id = APIKey.ID(id) else { throw ValidationError("The ID must be a number, such as 3.") }
            try await DatabaseSession.run(options) { stores in
                let key = try await stores.apiKeys.revoke(id)
                let owner = key.app.map { "/v1/apps/\($0)" } ?? "/v1"
                try await stores.recordOnConsole("keys.delete", "\(owner)/keys/\(id)", app: key.app)
                print("Key \(key.id) \"\(key.name.printable)\" is revoked.")
            }
        }
    }
}
