import APNS
import ArgumentParser
import Configuration
import Dispatcher
import Logging
import SystemPackage
import TLS

/// The settings of a process, from flags, the environment and a file.
struct Settings {
    var host = "127.0.0.1"
    var port: UInt16 = 8_080
    var databaseURL: String?
    /// For LISTEN and migrations, where the other one goes through a pooler.
    var directDatabaseURL: String?
    var stateDirectory = "var"
    var sealingKey: String?
    var sealingKeyFile: String?
    var endpoints = APNSEndpoints()
    var maximumAPNSConnections = 4
    /// Shorter ones for tests and chaos.
    var lease: Duration?
    var renewal: Duration?
    var requestDeadline: Duration?
    var retry: Duration?
    /// How phones and browsers reach this server, such as https://push.example.com.
    var publicURL: String?
    /// For the content of media; without it, they are in the database.
    var mediaDirectory: String?
    var logLevel = Logger.Level.info
}

/// The same settings on the command line; each says its names in the environment and in the file.
struct SettingsOptions: ParsableArguments {
    @Option(help: "Address to listen on. [BELFRY_HOST; default 127.0.0.1]")
    var host: String?

    @Option(help: "Port to listen on. [BELFRY_PORT; default 8080]")
    var port: UInt16?

    @Option(
        name: .customLong("database-url"),
        help: """
            PostgreSQL to use, postgres://user:password@host/database. Without it Belfry runs its own in the state \
            directory. [DATABASE_URL; DATABASE_URL_FILE]
            """)
    var databaseURL: String?

    @Option(
        name: .customLong("direct-database-url"),
        help: "The same PostgreSQL without PgBouncer between, for migrations and LISTEN. [DATABASE_DIRECT_URL]")
    var directDatabaseURL: String?

    @Option(help: "Where Belfry keeps its own PostgreSQL and the sealing key. [BELFRY_STATE; default var]")
    var state: String?

    @Option(
        help: """
            File with the key that seals .p8 files in the database; made when missing. The key itself may stand in \
            BELFRY_SEALING_KEY. [BELFRY_SEALING_KEY_FILE; default sealing.key in the state directory]
            """)
    var sealingKeyFile: String?

    @Option(help: "Host for pushes instead of Apple's, such as a simulator. [BELFRY_APNS_HOST]")
    var apnsHost: String?

    @Option(help: "Port on that host. [BELFRY_APNS_PORT; default 443]")
    var apnsPort: UInt16?

    @Option(help: "Certificate authority to believe there (PEM). [BELFRY_APNS_CA_FILE]")
    var apnsCaFile: String?

    @Option(help: "Connections to APNs at most, per credential and environment. [BELFRY_APNS_CONNECTIONS; default 4]")
    var apnsConnections: Int?

    @Option(
        help: """
            How phones reach this server, https://push.example.com: it stands in the addresses of media. \
            [BELFRY_PUBLIC_URL; default http:// with host and port]
            """)
    var publicURL: String?

    @Option(
        help: """
            Directory for the content of media, on a disk that all processes share. Without it, the database holds \
            them. [BELFRY_MEDIA_DIRECTORY]
            """)
    var mediaDirectory: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical. [BELFRY_LOG_LEVEL; default info]")
    var logLevel: String?

    @Option(
        help: "JSON file with settings: {\"belfry\": {\"port\": 8080}, \"database\": {\"url\": …}}. [BELFRY_CONFIG]")
    var config: String?

    /// Flags first, then the environment, then the file.
    func load() async throws -> Settings {
        let environment = EnvironmentVariablesProvider()
        var providers: [any ConfigProvider] = [environment]
        let file = config ?? ConfigReader(provider: environment).string(forKey: "belfry.config")
        if let file { providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file))) }
        let reader = ConfigReader(providers: providers)

        var settings = Settings()
        settings.host = host ?? reader.string(forKey: "belfry.host") ?? settings.host
        settings.port = try port ?? reader.port(forKey: "belfry.port") ?? settings.port
        settings.databaseURL = try databaseURL ?? reader.secret(forKey: "database.url")
        settings.directDatabaseURL = try directDatabaseURL ?? reader.secret(forKey: "database.direct.url")
        settings.stateDirectory = state ?? reader.string(forKey: "belfry.state") ?? settings.stateDirectory
        settings.sealingKey = reader.string(forKey: "belfry.sealing.key", isSecret: true)
        settings.sealingKeyFile = sealingKeyFile ?? reader.string(forKey: "belfry.sealing.key.file")
        settings.maximumAPNSConnections =
            apnsConnections ?? reader.int(forKey: "belfry.apns.connections") ?? settings.maximumAPNSConnections
        settings.lease = try reader.seconds(forKey: "belfry.lease.seconds")
        settings.renewal = try reader.seconds(forKey: "belfry.renewal.seconds")
        settings.requestDeadline = try reader.seconds(forKey: "belfry.request.deadline.seconds")
        settings.retry = try reader.seconds(forKey: "belfry.retry.seconds")
        settings.publicURL = try (publicURL ?? reader.string(forKey: "belfry.public.url")).map(Self.checkedURL)
        settings.mediaDirectory = mediaDirectory ?? reader.string(forKey: "belfry.media.directory")
        if let level = logLevel ?? reader.string(forKey: "belfry.log.level") {
            guard let known = Logger.Level(rawValue: level.lowercased()) else {
                throw ValidationError(
                    "The log level \"\(level)\" is not one of trace, debug, info, notice, warning, error, critical.")
            }
            settings.logLevel = known
        }
        if let host = apnsHost ?? reader.string(forKey: "belfry.apns.host") {
            let port = try apnsPort ?? reader.port(forKey: "belfry.apns.port") ?? 443
            let authority = apnsCaFile ?? reader.string(forKey: "belfry.apns.ca.file")
            let endpoint = APNSEndpoint(
                host: host, port: port, trust: authority.map(TLSContext.Trust.file) ?? .systemRoots)
            settings.endpoints = APNSEndpoints(production: endpoint, development: endpoint)
        }
        return settings
    }

    private static func checkedURL(_ text: String) throws -> String {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), !text.contains(where: \.isWhitespace) else {
            throw ValidationError("The public URL \"\(text)\" does not begin with https:// or http://.")
        }
        return text
    }
}

extension ConfigReader {
    fileprivate func port(forKey key: ConfigKey) throws -> UInt16? {
        guard let number = int(forKey: key) else { return nil }
        guard let port = UInt16(exactly: number) else {
            throw ValidationError("\(number) is not a port; it is 1 to 65535.")
        }
        return port
    }

    fileprivate func seconds(forKey key: ConfigKey) throws -> Duration? {
        guard let number = int(forKey: key) else { return nil }
        guard number > 0 else { throw ValidationError("\(number) is not a number of seconds; it is 1 or more.") }
        return .seconds(number)
    }

    /// A secret may stand in a file that a setting of the same name and "file" names.
    fileprivate func secret(forKey key: String) throws -> String? {
        if let value = string(forKey: ConfigKey(stringLiteral: key), isSecret: true) { return value }
        guard let file = string(forKey: ConfigKey(stringLiteral: key + ".file")) else { return nil }
        return try TextFile.read(file).trimmed
    }
}
