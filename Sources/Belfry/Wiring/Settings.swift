import API
import APNS
import ArgumentParser
import Configuration
import Dispatcher
import EventLoop
import FoundationEssentials
import HTTPServer
import Logging
import Postgres
import TLS

/// The settings of a process, from flags, the environment and a file.
public struct Settings: Sendable {
    var host = "127.0.0.1"
    var port: UInt16 = 8_080
    public var databaseURL: String?
    /// When Belfry may run its own PostgreSQL in the state directory, without `databaseURL`.
    var privateDatabase = PrivateDatabase.allowed
    /// The password can be seen in the list of processes.
    var showsDatabasePassword = false
    /// For LISTEN and migrations, when `databaseURL` goes through a pooler.
    var directDatabaseURL: String?
    public var stateDirectory = "var"
    /// Whether a start applies the migrations that the program needs.
    var appliesMigrations = true
    var sealingKey: String?
    var sealingKeyFile: String?
    var endpoints = APNSEndpoints()
    var maximumAPNSConnections = 4
    var loops = LoopCounts(web: 1, send: 1)
    var maximumUnresolved = DispatcherOptions().maximumUnresolved
    /// Overrides for tests and `belfry-lab chaos`.
    var lease: Duration?
    var renewal: Duration?
    var requestDeadline: Duration?
    var retry: Duration?
    /// Whether PostgreSQL may run with `fsync` off, for tests.
    public var allowsUnsafeServer = false
    /// The person who becomes the first admin when there is nobody.
    var admin: FirstAdmin.Unattended?
    /// The URL at which devices and browsers reach this server, such as https://push.example.com.
    var publicURL: String?
    /// The URL at which devices reach it, if that is another one.
    var devicesURL: String?
    /// The address of a listener for devices alone; nil: none.
    var devices: SocketAddress?
    /// The directory for the content of media; nil stores it in the database.
    var mediaDirectory: String?
    var process = ProcessName()
    /// Webhooks may be sent to private addresses, and without TLS.
    var webhooksToPrivateAddresses = false
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// The file of the access log, "-" for standard output; nil for none.
    var accessLog: String?
    /// The address for metrics and health; nil: none.
    var management: SocketAddress?
    /// Nil for a web server without TLS.
    var certificate: CertificateFiles?
    var rateLimits = RateLimits.none
    /// The limits of the web server. Its address is set when the server starts.
    var server = ServerConfiguration(address: .loopback(port: 0))

    public init() {}
}

extension Settings {
    static let apnsConnections = 1...100
    static let seconds = 1...86_400

    var sealingKeyPath: String { sealingKeyFile ?? "\(stateDirectory)/sealing.key" }

    /// The URL at which devices download media.
    var mediaURL: String { devicesURL ?? pageURL }

    /// The URL at which devices and browsers reach this server; without the setting, on this machine.
    var pageURL: String {
        if let publicURL { return publicURL }
        let host = ["0.0.0.0", "::"].contains(host) ? "localhost" : host.contains(":") ? "[\(host)]" : host
        return "\(certificate == nil ? "http" : "https")://\(host):\(port)"
    }
}

/// The settings as command-line options. The help of each names its environment variable.
struct SettingsOptions: ParsableArguments {
    @Option(help: "Address to listen on. [BELFRY_HOST; default 127.0.0.1]")
    var host: String?

    @Option(help: "Port to listen on; 0 for any free one, which is printed. [BELFRY_PORT; default 8080]")
    var port: Int?

    @Option(
        name: .customLong("database-url"),
        help: """
            PostgreSQL to use, postgres://user:password@host/database. Without it, Belfry runs its own PostgreSQL in \
            the state directory. [DATABASE_URL; DATABASE_URL_FILE for a file that contains it]
            """)
    var databaseURL: String?

    @Option(
        name: .customLong("direct-database-url"),
        help: """
            The same PostgreSQL without PgBouncer in between, for migrations and LISTEN. [DATABASE_DIRECT_URL; \
            DATABASE_DIRECT_URL_FILE for a file that contains it]
            """)
    var directDatabaseURL: String?

    @Flag(
        help: """
            Use Belfry's own PostgreSQL in the state directory, and create it if it is missing, although no database URL is \
            set. "serve" and "demo" need no permission. [BELFRY_PRIVATE_DATABASE]
            """)
    var privateDatabase = false

    @Flag(
        help: """
            Do not change the database's schema: end with an error if "belfry migrate" of this version has not run. \
            [BELFRY_NO_MIGRATE]
            """)
    var noMigrate = false

    @Option(
        help:
            "Directory for Belfry's own PostgreSQL, the sealing key and what processes remember. [BELFRY_STATE; default var]"
    )
    var state: String?

    @Option(
        help: """
            File with the keys that encrypt .p8 files in the database, one per line; created if it is missing. The \
            first key encrypts, all of them decrypt. The keys themselves can be given in BELFRY_SEALING_KEY. \
            [BELFRY_SEALING_KEY_FILE; default sealing.key in the state directory]
            """)
    var sealingKeyFile: String?

    @Option(help: "Host to send pushes to instead of Apple's, such as a simulator. [BELFRY_APNS_HOST]")
    var apnsHost: String?

    @Option(help: "Port on that host. [BELFRY_APNS_PORT; default 443]")
    var apnsPort: Int?

    @Option(help: "CA certificate to trust for that host (PEM file). [BELFRY_APNS_CA_FILE]")
    var apnsCaFile: String?

    @Option(
        help: """
            Maximum connections to APNs per send loop, credential and environment. [BELFRY_APNS_CONNECTIONS; default 4]
            """)
    var apnsConnections: Int?

    @Option(
        help: """
            Maximum number of recipients of this process whose outcome is unknown if it is lost: pushes that may be on \
            their way and have no stored answer. From \(UnresolvedBudget.limits.lowerBound) to \
            \(UnresolvedBudget.limits.upperBound); less makes sending slower. [BELFRY_UNRESOLVED; default \
            \(DispatcherOptions().maximumUnresolved)]
            """)
    var unresolved: Int?

    @Option(
        help: """
            URL at which people and devices reach this server, such as https://push.example.com; used in media URLs and \
            links. [BELFRY_PUBLIC_URL; default http:// with host and port]
            """)
    var publicURL: String?

    @Option(
        name: .customLong("devices-url"),
        help: """
            URL at which devices reach this server, if people use another one; used in media URLs. [BELFRY_DEVICES_URL; \
            default: the public URL]
            """)
    var devicesURL: String?

    @Option(
        help: """
            Directory for the content of media, on a disk that all processes share. Without it, the content is \
            stored in the database. [BELFRY_MEDIA_DIRECTORY]
            """)
    var mediaDirectory: String?

    @Flag(
        help: """
            Let webhooks be sent to private addresses too, also over http://. Whoever may set up webhooks can then make \
            this server send requests into its own network. [BELFRY_WEBHOOKS_PRIVATE_ADDRESSES]
            """)
    var webhooksPrivateAddresses = false

    @Option(
        help: """
            File to which the web server writes a line per request, without its path, query or body; - for standard \
            output. [BELFRY_ACCESS_LOG; default: none]
            """)
    var accessLog: String?

    @Option(
        help: """
            Name of this process in "belfry status" and in PostgreSQL's list of sessions. [BELFRY_PROCESS_NAME; default: \
            the name of the host]
            """)
    var processName: String?

    @Option(help: "Log level: trace, debug, info, notice, warning, error or critical. [BELFRY_LOG_LEVEL; default info]")
    var logLevel: String?

    @Option(help: "Form of log lines: text, or json for programs that collect logs. [BELFRY_LOG_FORMAT; default text]")
    var logFormat: String?

    @Option(
        help: "JSON file with settings: {\"belfry\": {\"port\": 8080}, \"database\": {\"url\": …}}. [BELFRY_CONFIG]")
    var config: String?

    /// The environment and the file.
    func reader() async throws -> ConfigReader {
        let environment = try EnvironmentSettings(ProcessInfo.processInfo.environment)
        var providers: [any ConfigProvider] = [environment.provider]
        if let file = config ?? environment.variables["BELFRY_CONFIG"] {
            providers.append(try await SettingsFile(path: file).provider())
        }
        return ConfigReader(providers: providers)
    }

    /// Flags take precedence over the environment, and the environment over the file.
    func load() async throws -> Settings { try load(await reader()) }

    /// Without the host for pushes, which `loadAPNS` adds.
    func load(_ reader: ConfigReader, privateDatabase: PrivateDatabase = .ifItExists) throws -> Settings {
        var settings = Settings()
        let isNamed = self.privateDatabase || reader.bool(forKey: "belfry.private.database", default: false)
        settings.privateDatabase = isNamed ? .allowed : privateDatabase
        settings.appliesMigrations = !(noMigrate || reader.bool(forKey: "belfry.no.migrate", default: false))
        settings.showsDatabasePassword = try [databaseURL, directDatabaseURL].compactMap(\.self)
            .contains { try PostgresConfiguration($0).hasPassword }
        settings.host = host ?? reader.string(forKey: "belfry.host") ?? settings.host
        settings.port =
            try PortNumber.checked(port ?? reader.int(forKey: "belfry.port"), from: 0) ?? settings.port
        settings.databaseURL =
            try databaseURL.map { try Self.filled($0, "--database-url") } ?? reader.secret(forKey: "database.url")
        settings.directDatabaseURL =
            try directDatabaseURL.map { try Self.filled($0, "--direct-database-url") }
            ?? reader.secret(forKey: "database.direct.url")
        settings.stateDirectory = state ?? reader.string(forKey: "belfry.state") ?? settings.stateDirectory
        settings.sealingKey = try reader.string(forKey: "belfry.sealing.key", isSecret: true).map {
            try Self.filled($0, "belfry.sealing.key")
        }
        settings.sealingKeyFile = sealingKeyFile ?? reader.string(forKey: "belfry.sealing.key.file")
        settings.maximumAPNSConnections =
            try Self.checked(
                apnsConnections ?? reader.int(forKey: "belfry.apns.connections"), "connections to APNs",
                in: Settings.apnsConnections) ?? settings.maximumAPNSConnections
        settings.maximumUnresolved =
            try Self.checked(
                unresolved ?? reader.int(forKey: "belfry.unresolved"), "unresolved recipients",
                in: UnresolvedBudget.limits) ?? settings.maximumUnresolved
        settings.lease = try reader.seconds(forKey: "belfry.lease.seconds")
        settings.renewal = try reader.seconds(forKey: "belfry.renewal.seconds")
        settings.requestDeadline = try reader.seconds(forKey: "belfry.request.deadline.seconds")
        settings.retry = try reader.seconds(forKey: "belfry.retry.seconds")
        settings.allowsUnsafeServer = reader.bool(forKey: "belfry.unsafe.server", default: false)
        settings.admin = try reader.admin()
        settings.publicURL = try (publicURL ?? reader.string(forKey: "belfry.public.url")).map(PublicURL.checked)
        settings.devicesURL = try (devicesURL ?? reader.string(forKey: "belfry.devices.url")).map(PublicURL.checked)
        settings.mediaDirectory = mediaDirectory ?? reader.string(forKey: "belfry.media.directory")
        if let name = processName ?? reader.string(forKey: "belfry.process.name") {
            settings.process = ProcessName(try ProcessName.checked(name))
        }
        settings.webhooksToPrivateAddresses =
            webhooksPrivateAddresses || reader.bool(forKey: "belfry.webhooks.private.addresses", default: false)
        settings.accessLog = accessLog ?? reader.string(forKey: "belfry.access.log")
        if let format = logFormat ?? reader.string(forKey: "belfry.log.format") {
            settings.logFormat = try LogFormat.checked(format)
        }
        if let level = logLevel ?? reader.string(forKey: "belfry.log.level") {
            guard let known = Logger.Level(rawValue: level.lowercased()) else {
                throw ValidationError(
                    """
                    The log level \"\(level)\" is unknown; it must be trace, debug, info, notice, warning, error or \
                    critical.
                    """)
            }
            settings.logLevel = known
        }
        return settings
    }

    /// The host for pushes, for commands that send some.
    func loadAPNS(_ settings: inout Settings, _ reader: ConfigReader) throws {
        let port = try PortNumber.checked(apnsPort ?? reader.int(forKey: "belfry.apns.port"))
        let authorityFile = apnsCaFile ?? reader.string(forKey: "belfry.apns.ca.file")
        if let host = apnsHost ?? reader.string(forKey: "belfry.apns.host") {
            // Read now: a client that is created later can't read a file when no descriptor is left.
            let authority = try authorityFile.map(TextFile.certificates)
            let endpoint = APNSEndpoint(
                host: try HostName.checked(host), port: port ?? 443,
                trust: authority.map(TLSContext.Trust.pem) ?? .systemRoots)
            settings.endpoints = APNSEndpoints(production: endpoint, development: endpoint)
        } else if port != nil || authorityFile != nil {
            throw ValidationError(
                """
                A port or a CA certificate for APNs is set without a host, so it would be ignored. Set --apns-host or \
                BELFRY_APNS_HOST too, or leave out BELFRY_APNS_PORT and BELFRY_APNS_CA_FILE.
                """)
        }
        try settings.checkTrust()
    }

    private static func checked(_ number: Int?, _ things: String, in limits: ClosedRange<Int>) throws -> Int? {
        guard let number else { return nil }
        guard limits.contains(number) else {
            throw ValidationError(
                """
                \(number) is not a possible number of \(things); it must be from \(limits.lowerBound) to \
                \(limits.upperBound).
                """)
        }
        return number
    }

    /// The value without the white space around it. libpq would take an empty address for a server on this machine.
    fileprivate static func filled(_ text: String, _ name: String) throws -> String {
        guard !text.trimmed.isEmpty else {
            throw ValidationError("The setting \(name) is empty. Give it a value, or leave it out.")
        }
        return text.trimmed
    }
}

extension Settings {
    /// Throws if the certificates that connections to APNs need are missing or unusable. Later it would pause
    /// campaigns.
    fileprivate func checkTrust() throws {
        for endpoint in [endpoints.production, endpoints.development] {
            _ = try TLSContext.client(trust: endpoint.trust)
        }
    }
}

extension ConfigReader {
    fileprivate func seconds(forKey key: ConfigKey) throws -> Duration? {
        guard let number = int(forKey: key) else { return nil }
        guard Settings.seconds.contains(number) else {
            throw ValidationError("\(number) is not a possible number of seconds; it must be from 1 to 86400.")
        }
        return .seconds(number)
    }

    /// The first admin; nil when neither value is set.
    fileprivate func admin() throws -> FirstAdmin.Unattended? {
        let email = string(forKey: "belfry.admin.email")
        let password = try secret(forKey: "belfry.admin.password")
        switch (email, password) {
        case (nil, nil): return nil
        case (let email?, let password?): return FirstAdmin.Unattended(email: email, password: password)
        default:
            throw ValidationError(
                """
                BELFRY_ADMIN_EMAIL and BELFRY_ADMIN_PASSWORD (or BELFRY_ADMIN_PASSWORD_FILE) must be set together.
                """)
        }
    }

    /// A secret can also be read from a file, which the setting of the same name with the suffix "file" names.
    fileprivate func secret(forKey key: String) throws -> String? {
        if let value = string(forKey: ConfigKey(stringLiteral: key), isSecret: true) {
            return try SettingsOptions.filled(value, key)
        }
        return try string(forKey: ConfigKey(stringLiteral: key + ".file")).map {
            try TextFile.secret($0, "file of the setting \(key).file")
        }
    }
}
