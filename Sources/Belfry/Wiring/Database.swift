import Crypto
public import EventLoop
import FoundationEssentials
public import Logging
import Postgres
public import PrivatePostgres
public import Store

/// The database of this process, after migration and verification of the sealing key.
public struct Database: Sendable {
    let configuration: PostgresConfiguration
    /// The configuration for connections that bypass a pooler.
    let direct: PostgresConfiguration
    private let process: ProcessName
    /// The local server; nil when a DATABASE_URL is set.
    public let cluster: LocalCluster?
    let sealingKeys: SealingKeyRing
    /// The schemas that this program works with.
    let program: ProgramSchema
    /// Whether this start has made the schema.
    let isNew: Bool
    /// The loops' pools notice the same outage, and their listeners too.
    private let outage = SharedOutage()
    let listenerOutage = SharedOutage()

    public static func open(_ settings: Settings, on loop: EventLoop, logger: Logger) async throws -> Database {
        let (configuration, direct, cluster) = try await checkedServer(settings, on: loop, logger: logger)
        try FileManager.default.createDirectory(
            at: URL(filePath: settings.stateDirectory), withIntermediateDirectories: true)
        let migrator = try Migrator(directory: try Resources.directory("Migrations"))
        let applied = try await migrate(
            direct.named(settings.process.session("migrate")), migrator, settings.appliesMigrations ? .needed : nil,
            of: cluster, on: loop, logger: logger)
        let pool = PostgresPool(configuration, limits: .init(connections: 1), on: loop, logger: logger)
        let sealingKeys: SealingKeyRing
        do {
            sealingKeys = try Self.sealingKeys(settings, isNew: try await !InstanceStore(pool: pool).isSealed())
            let stores = Stores(pool: pool, sealingKeys: sealingKeys)
            try await stores.instance.verify(sealingKeys)
            try await stores.instance.verifyCommitsAreDurable()
            if !settings.allowsUnsafeServer { try await stores.instance.verifyServerIsDurable() }
            if cluster != nil { try await stores.instance.createReader() }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        return Database(
            configuration: configuration, direct: direct, process: settings.process, cluster: cluster,
            sealingKeys: sealingKeys, program: migrator.program, isNew: applied.first?.number == 1)
    }

    /// The server of the settings, if Belfry can work with it.
    static func checkedServer(
        _ settings: Settings, on loop: EventLoop, logger: Logger
    ) async throws -> (PostgresConfiguration, PostgresConfiguration, LocalCluster?) {
        if settings.showsDatabasePassword {
            logger.warning(
                "database password on the command line",
                metadata: [
                    "reason": "all users of this machine can read it with ps; set DATABASE_URL or DATABASE_URL_FILE"
                ])
        }
        let (configuration, direct, cluster) = try await server(settings, logger: logger)
        try await DatabaseCheck(
            configuration: configuration, direct: direct, hasDirectURL: settings.directDatabaseURL != nil
        ).run(on: loop, logger: logger)
        return (configuration, direct, cluster)
    }

    /// Applies the missing migrations, without the sealing key and whatever else only a running Belfry needs. Returns the
    /// schema of the database, and that of the program.
    static func migrate(
        _ settings: Settings, _ extent: Migrator.Extent, on loop: EventLoop, logger: Logger
    ) async throws -> (database: SchemaState, program: ProgramSchema) {
        let (_, direct, cluster) = try await checkedServer(settings, on: loop, logger: logger)
        let migrator = try Migrator(directory: try Resources.directory("Migrations"))
        let named = direct.named(settings.process.session("migrate"))
        _ = try await migrate(named, migrator, extent, of: cluster, on: loop, logger: logger)
        let pool = PostgresPool(named, limits: .init(connections: 1), on: loop, logger: logger)
        let state = try await InstanceStore(pool: pool).schema()
        await pool.close()
        await cluster?.stop()
        return (state, migrator.program)
    }

    /// Applies the missing migrations; without an extent it only checks that the program can run. Several processes may
    /// do so at the same time.
    private static func migrate(
        _ configuration: PostgresConfiguration, _ migrator: Migrator, _ extent: Migrator.Extent?,
        of cluster: LocalCluster?, on loop: EventLoop, logger: Logger
    ) async throws -> [Migration] {
        let connection = try await PostgresConnection.connect(
            configuration.withoutTimeLimits, on: loop, logger: logger)
        var applied: [Migration] = []
        do {
            if let extent {
                if case .all = extent { try await FinishCheck(migrator: migrator).run(on: connection) }
                applied = try await migrator.apply(extent, on: connection) {
                    logger.notice("migrating", metadata: ["step": "\($0)"])
                }
            } else {
                try await migrator.verify(on: connection)
            }
            if let first = applied.first, let last = applied.last {
                let numbers = "\(first.number) to \(last.number)"
                logger.info("migrations applied", metadata: ["count": "\(applied.count)", "numbers": "\(numbers)"])
            }
        } catch {
            await connection.close()
            await cluster?.stop()
            if let cluster, let error = error as? MigrationError, error.isAboutAnotherSchema {
                throw OtherSchema(error: error, directory: cluster.directory)
            }
            throw error
        }
        await connection.close()
        return applied
    }

    static func server(
        _ settings: Settings, logger: Logger
    ) async throws -> (PostgresConfiguration, PostgresConfiguration, LocalCluster?) {
        if let (configuration, direct) = try addresses(settings) { return (configuration, direct, nil) }
        let directory = "\(settings.stateDirectory)/postgres"
        try settings.privateDatabase.check(directory)
        let cluster = try await LocalCluster.start(directory: directory, logger: logger)
        return (cluster.configuration, cluster.configuration, cluster)
    }

    /// The server that the settings name, through a pooler and without it; nil without a DATABASE_URL.
    static func addresses(_ settings: Settings) throws -> (PostgresConfiguration, PostgresConfiguration)? {
        guard let url = settings.databaseURL else { return nil }
        var configuration = try PostgresConfiguration(url)
        guard let direct = settings.directDatabaseURL else { return (configuration, configuration) }
        // A pooler may run each transaction on a different connection.
        configuration.preparedStatements = 0
        configuration.configuresSessions = false
        return (configuration, try PostgresConfiguration(direct))
    }

    /// Creates the file if there is none and the database `isNew`.
    static func sealingKeys(_ settings: Settings, isNew: Bool) throws -> SealingKeyRing {
        if let text = settings.sealingKey { return try SealingKeyRing(text: text) }
        return try SealingKeyRing.load(
            file: settings.sealingKeyPath, isNew: isNew)
    }

    /// The number of connections in a pool.
    static let poolConnections = 8
    /// Connections of the sender of webhooks.
    static let webhookConnections = 2

    /// `part` names the sessions in PostgreSQL's list of them.
    public func stores(_ part: String = "", on loop: EventLoop, logger: Logger) -> Stores {
        Stores(pool: pool(part, on: loop, logger: logger), sealingKeys: sealingKeys)
    }

    func pool(
        _ part: String, connections: Int = poolConnections, on loop: EventLoop, logger: Logger
    ) -> PostgresPool {
        PostgresPool(
            configuration.named(process.session(part)), limits: .init(connections: connections), on: loop,
            logger: logger, outage: outage)
    }

    /// For a connection that bypasses a pooler.
    func direct(_ part: String) -> PostgresConfiguration { direct.named(process.session(part)) }

    public func close() async { await cluster?.stop() }
}

extension PostgresConfiguration {
    /// With a name for its sessions, unless the connection string has one.
    fileprivate func named(_ name: String) -> PostgresConfiguration {
        var named = self
        named.applicationName = applicationName ?? name
        return named
    }
}
