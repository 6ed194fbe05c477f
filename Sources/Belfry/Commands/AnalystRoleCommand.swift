import Administration
import ArgumentParser
import Campaigns
import Crypto
import Postgres
import Store

struct AnalystRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyst-role",
        abstract: "Create a role of PostgreSQL that reads statistics and ledgers, and nothing secret.",
        discussion: """
            The role can read the schema bi, whose views Docs/analysts.md describes, and no other. It sees no keys, no \
            credentials, no passwords and no device tokens, and can change nothing. A random password is printed once, unless --password-file names \
            one. Repeat the command after an update of Belfry, so that the role can read what is new.
            """)

    @OptionGroup var options: SettingsOptions

    @Argument(help: "Name of the role: lower-case letters, digits and underscores.")
    var name: String

    @Option(help: "File with the password of the role.")
    var passwordFile: String?

    /// Bytes of a random password.
    private static let passwordLength = 18

    /// What the role can do beside reading, and the statement that ends it.
    private func warn(_ unlimited: [String], _ stores: Stores) async throws {
        // Belfry's own PostgreSQL does not let the role into another database.
        let isOwnServer = try await options.load().databaseURL == nil
        let others = isOwnServer ? [] : try await stores.analystRoles.otherDatabases(of: name)
        if !others.isEmpty { print(Self.warning(of: others, name)) }
        guard !unlimited.isEmpty else { return }
        print(
            "Belfry's role in PostgreSQL may not limit everything. Not limited: \(unlimited.joined(separator: ", ")). A "
                + "superuser can do so; see Docs/analysts.md.")
    }

    static func warning(of others: [String], _ role: String) -> String {
        let quoted = others.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
        return """
            The role \(role) can also connect to other databases of this server, where none of its limits hold: \
            \(others.joined(separator: ", ")). PostgreSQL lets every role connect unless this is revoked. To close them, \
            let their owners or a superuser run this, and grant CONNECT to the roles that need it:
              REVOKE CONNECT ON DATABASE \(quoted) FROM PUBLIC;
            """
    }

    func validate() throws {
        guard AnalystRoleStore.isRoleName(name) else {
            throw ValidationError(
                "The name must have 1 to 63 lower-case letters, digits and underscores, and must not begin with a digit or pg_."
            )
        }
    }

    func run() async throws {
        let given = try passwordFile.map { try TextFile.secret($0, "password file") }
        if let given, given.count < PasswordRules.minimumLength {
            throw CommandFailure("The role's password must have at least \(PasswordRules.minimumLength) characters.")
        }
        try await DatabaseSession.run(options) { stores in
            let random = Base64URL.encode(try RandomBytes.make(count: Self.passwordLength))
            switch try await stores.analystRoles.grant(to: name, password: given, first: random) {
            case .privileged:
                throw CommandFailure(
                    "The role \(name) exists and can do more than read, so it was left as it is. Choose another name.")
            case .created(let unlimited):
                print("The role \(name) can read statistics, ledgers and devices, and change nothing.")
                if given == nil { print("Its password, which is not shown again: \(random)") }
                var analyst = stores.pool.configuration
                analyst.user = name
                let query = "SELECT * FROM bi.campaign_funnel ORDER BY started_at DESC LIMIT 10"
                print("Example: psql '\(analyst)' -c '\(query)'")
                try await warn(unlimited, stores)
            case .updated(let unlimited):
                print(
                    "The role \(name) can read what this version has.\(given == nil ? "" : " Its password was changed.")"
                )
                try await warn(unlimited, stores)
            }
        }
    }
}
