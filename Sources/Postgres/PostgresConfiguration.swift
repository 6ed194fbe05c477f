import CPostgres
import EventLoop

/// The settings for connections to a database. The description never contains a password.
public struct PostgresConfiguration: Sendable, CustomStringConvertible {
    /// libpq's settings by their names, as in a connection string.
    private(set) var parameters: [String: String]

    /// The time limit for all addresses, TLS and authentication. The name lookup has the resolver's own limit.
    public var connectTimeout = Duration.seconds(5)
    /// The default deadline of a statement; nil means none. The server's limit comes first: this one is for a
    /// connection on which nothing arrives any more, through a proxy for example.
    public var statementDeadline: Duration? = .seconds(16 * 60)
    /// The maximum number of prepared statements per connection; 0 for PgBouncer in transaction mode.
    public var preparedStatements = 256
    /// Whether each session gets settings of its own. COMMIT waits for the server's disk, even if `synchronous_commit`
    /// is off for the server, database or role; and the server ends sessions of hosts that are frozen or gone. Turn it
    /// off behind PgBouncer, which shares sessions between clients.
    public var configuresSessions = true
    /// The time after which the server rolls back a transaction whose client is silent, and so releases its locks. It
    /// ends the session as well. A setting of the server, database or role takes precedence.
    public var idleInTransactionTimeout = Duration.seconds(20)
    /// The time that the server lets a statement wait for a lock; nil means for ever. Belfry's own transactions are
    /// shorter, so somebody else holds it. A setting of the server, database or role takes precedence.
    public var lockTimeout: Duration? = .seconds(30)
    /// The time after which the server cancels a statement; nil means never. The longest ones, such as the recount of a
    /// run with many millions of recipients, take a few minutes. A setting of the server, database or role takes
    /// precedence.
    public var statementTimeout: Duration? = .seconds(15 * 60)
    /// Whether a standby will do. Otherwise, unless the connection string has `target_session_attrs`, of several hosts
    /// the one that accepts writes is used.
    public var allowsReadOnly = false

    /// Reads `postgres://…` or libpq's `key=value …` (PostgreSQL's manual, section 34.1.1).
    public init(_ connectionString: String) throws(PostgresError) {
        // libpq's message may quote the string with the password.
        guard let options = PQconninfoParse(connectionString, nil) else {
            throw PostgresError(.misuse, "invalid connection string; expected the form postgres://user@host/database")
        }
        defer { PQconninfoFree(options) }
        parameters = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
    }

    /// A server that listens in a directory on this machine.
    public init(socketDirectory: String, port: UInt16 = 5432, user: String, database: String) {
        parameters = ["host": socketDirectory, "port": String(port), "user": user, "dbname": database]
    }

    /// For statements that may take and wait as long as they need, such as migrations of large tables.
    public var withoutTimeLimits: PostgresConfiguration {
        var unlimited = self
        (unlimited.statementDeadline, unlimited.lockTimeout, unlimited.statementTimeout) = (nil, nil, nil)
        return unlimited
    }

    public var database: String? {
        get { parameters["dbname"] }
        set { parameters["dbname"] = newValue }
    }

    public var user: String? {
        get { parameters["user"] }
        set { parameters["user"] = newValue }
    }

    public var hasPassword: Bool { parameters["password"]?.isEmpty == false }

    public var applicationName: String? {
        get { parameters["application_name"] }
        set { parameters["application_name"] = newValue }
    }

    public var description: String {
        let shown = ["user", "host", "port", "dbname"].compactMap { key in parameters[key].map { "\(key)=\($0)" } }
        return shown.joined(separator: " ")
    }
}

extension PostgresConfiguration {
    /// All settings for `PQconnectStartParams`, with every host's addresses, because libpq's name lookup would block
    /// the loop. All hosts together have the time for connecting, or the resolver's deadline if that is shorter.
    func resolved(on loop: EventLoop) async throws(PostgresError) -> [String: String] {
        var resolved = Self.defaults.merging(parameters) { _, own in own }
        if !allowsReadOnly, parameters["target_session_attrs"] == nil {
            resolved["target_session_attrs"] = "read-write"
        }
        guard resolved["hostaddr"] == nil, let hosts = resolved["host"] else { return resolved }
        let names = Self.list(hosts)
        let ports = Self.list(resolved["port"] ?? "5432")
        var entries: [(host: String, address: String, port: String)] = []
        var failure: ResolveError?
        let end = MonotonicTime.now() + min(connectTimeout, NameResolver.deadline)
        for (index, name) in names.enumerated() {
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "5432"
            guard !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("@") else {
                entries.append((name, "", port))
                continue
            }
            do throws(ResolveError) {
                let found = try await NameResolver.system.addresses(
                    of: name, port: UInt16(port) ?? 5432, within: end - .now(), on: loop)
                for address in found {
                    entries.append((name, address.host, port))
                }
            } catch {
                guard !Task.isCancelled else { throw PostgresError(.cancelled, "cancelled while connecting") }
                failure = error
            }
        }
        guard !entries.isEmpty else {
            throw PostgresError(
                .connectFailed, failure?.description ?? "a host is required", sqlState: PostgresError.cannotConnect)
        }
        resolved["host"] = entries.map(\.host).joined(separator: ",")
        resolved["hostaddr"] = entries.map(\.address).joined(separator: ",")
        resolved["port"] = entries.map(\.port).joined(separator: ",")
        return resolved
    }

    /// Keepalives detect a dead peer within a minute. GSS is off because its negotiation blocks.
    private static let defaults = [
        "client_encoding": "UTF8", "application_name": "belfry", "gssencmode": "disable",
        "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "30000",
    ]

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
