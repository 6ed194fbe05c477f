import Administration
import Application
import ArgumentParser
import Campaigns
import EventLoop
import JSON
import Store

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the people who can sign in.",
        subcommands: [Add.self, Passwd.self, Disable.self, Enable.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a person and print the address at which he or she chooses a password.",
            discussion: """
                The address works once, for three days. With --password or --password-file the password is set \
                immediately. Roles: viewer, analyst, marketer, sender, developer, admin; Docs/permissions.md lists what \
                each may do.
                """)

        @OptionGroup var options: SettingsOptions
        @OptionGroup var password: PasswordOptions

        @Argument(help: "E-mail address. It is a name only: nothing is sent to it.")
        var email: String

        @Option(help: "Name of the person.")
        var name = ""

        @Option(help: "Role, in all apps or in the one that --app names.")
        var role: String

        @Option(help: "Number of the app. Without it, the role is for all apps.")
        var app: String?

        func run() async throws {
            let email = try address(email)
            guard let role = Role(rawValue: role) else {
                throw ValidationError("--role must be \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            let app = try app.map { text in
                guard let id = AppID(text) else {
                    throw ValidationError("--app must be the number of an app, such as 1.")
                }
                return id
            }
            let name = try validatedName("name", name, length: 0...UserRecord.maximumNameLength)
            let hash = try await password.hash(for: email)
            try await DatabaseSession.run(options) { stores in
                let user = try await stores.users.create(
                    email, name: name, roles: [RoleAssignment(role, in: app)], passwordHash: hash)
                try await stores.recordOnConsole("users.create", "/v1/users/\(user.id)")
                print("\(email) added as \(role.rawValue)\(app.map { " of app \($0)" } ?? " of all apps").")
                if hash == nil { try await printLink(for: user, stores, try await options.load()) }
            }
        }
    }

    struct Passwd: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an address at which a person chooses a new password.",
            discussion: """
                The address works once, for three days; until then the old password remains. With --password or \
                --password-file the password is changed immediately, and the person's sessions end.
                """)

        @OptionGroup var options: SettingsOptions
        @OptionGroup var password: PasswordOptions

        @Argument(help: "E-mail address.")
        var email: String

        func run() async throws {
            let email = try address(email)
            let hash = try await password.hash(for: email)
            try await DatabaseSession.run(options) { stores in
                let user = try await find(email, stores)
                if let hash {
                    try await stores.passwords.set(hash, of: user.id)
                    try await stores.recordOnConsole("users.set-password", "/v1/users/\(user.id)")
                    print("The password of \(email) is changed.")
                } else {
                    try await printLink(for: user, stores, try await options.load())
                }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep a person from signing in, and end the person's sessions.")

        @OptionGroup var options: SettingsOptions

        @Argument(help: "E-mail address.")
        var email: String

        func run() async throws { try await UserCommand.setDisabled(true, email, options) }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a disabled person sign in again.")

        @OptionGroup var options: SettingsOptions

        @Argument(help: "E-mail address.")
        var email: String

        func run() async throws { try await UserCommand.setDisabled(false, email, options) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the people who can sign in, newest first.")

        /// People that one query reads.
        private static let step = 200

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                print(Self.line("ID", "STATE", "E-MAIL", "ROLES"))
                var last: User.ID?
                while true {
                    let page = try await stores.users.list(before: last, limit: Self.step)
                    for user in page {
                        let roles = user.roles.map { "\($0.role.rawValue)\($0.app.map { " of app \($0)" } ?? "")" }
                        print(
                            Self.line(
                                user.id.description, Self.state(user), user.email.text.printable,
                                roles.isEmpty ? "none" : roles.joined(separator: ", ")))
                    }
                    guard page.count == Self.step else { return }
                    last = page.last?.id
                }
            }
        }

        private static func line(_ id: String, _ state: String, _ email: String, _ roles: String) -> String {
            id.padded(to: 6) + state.padded(to: 13) + email.padded(to: 33) + " " + roles
        }

        private static func state(_ user: UserRecord) -> String {
            if user.disabledAt != nil { return "disabled" }
            return user.hasPassword ? "active" : "no password"
        }
    }

    fileprivate static func setDisabled(_ isDisabled: Bool, _ email: String, _ options: SettingsOptions) async throws {
        let email = try address(email)
        try await DatabaseSession.run(options) { stores in
            let user = try await find(email, stores)
            _ = try await stores.users.update(
                user.id, by: UserStore.Changes(isDisabled: isDisabled), expectedVersion: nil)
            try await stores.recordOnConsole("users.\(isDisabled ? "disable" : "enable")", "/v1/users/\(user.id)")
            print(
                isDisabled
                    ? "\(email) can't sign in any more. Open sessions end within seconds."
                    : "\(email) can sign in again.")
            guard isDisabled else { return }
            let stopped = try await stores.apiKeys.keys(of: user.id)
            guard !stopped.isEmpty else { return }
            print("These API keys of this person have stopped. An admin can take one over on the page of API keys:")
            for key in stopped { print("  \(key.id)  \(key.prefix)…  \(key.name.printable)") }
        }
    }

    fileprivate static func address(_ text: String) throws -> EmailAddress {
        try validated("email") { try EmailAddress(text) }
    }

    fileprivate static func find(_ email: EmailAddress, _ stores: Stores) async throws -> UserRecord {
        guard let user = try await stores.users.find(email) else {
            throw CommandFailure("Nobody has the e-mail address \(email). \"belfry user list\" lists everybody.")
        }
        return user
    }

    fileprivate static func printLink(for user: UserRecord, _ stores: Stores, _ settings: Settings) async throws {
        let token = try await stores.signInLinks.create(
            .password, for: user.id, lifetime: SignIn.passwordLinkLifetime)
        try await stores.recordOnConsole("users.password-link", "/v1/users/\(user.id)")
        print("Open this address within three days to choose a password; it works once:")
        print("")
        print("  \(settings.pageURL)/#password=\(token)")
    }
}

/// A password on the command line. Every user of the machine can read arguments, so a file or a link is better.
struct PasswordOptions: ParsableArguments {
    @Option(help: "Password. Other users of this machine can see it; better use --password-file, or neither.")
    var password: String?

    @Option(help: "File that contains the password; - reads it from standard input.")
    var passwordFile: String?

    /// Nil when no password is given.
    func hash(for email: EmailAddress) async throws -> String? {
        guard let text = try text() else { return nil }
        return try await NewPassword.hash(text, for: email)
    }

    private func text() throws -> String? {
        if let password { return password }
        guard let passwordFile else { return nil }
        if passwordFile == "-" { return readLine() ?? "" }
        return try TextFile.secret(passwordFile, "password file")
    }
}

enum NewPassword {
    static func hash(_ text: String, for email: EmailAddress) async throws -> String {
        if let problem = PasswordRules.problem(of: text, for: email) {
            throw CommandFailure("The password \(problem.message).")
        }
        return try await PasswordHasher().hash(text)
    }
}
