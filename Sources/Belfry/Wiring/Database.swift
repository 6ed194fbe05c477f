import Crypto
import EventLoop
import FoundationEssentials
import Logging
import Postgres
import Store

/// The database of this process, migrated and proven to belong to the sealing key.
struct Database {
    let configuration: PostgresConfiguration
    /// Without a pooler between.
    let direct: PostgresConfiguration
    /// Our own server, where there is no DATABASE_URL.
    let cluster: LocalCluster?
    let sealingKey: SealingKey
    let schemaVersion: Int
    /// The names that PostgreSQL knows: phones' local times are told by it.
    let timeZones: Set<String>

    static func open(_ settings: Settings, on loop: EventLoop, logger: Logger) async throws -> Database {
        try FileManager.default.createDirectory(
            at: URL(filePath: settings.stateDirectory), withIntermediateDirectories: true)
        let (configuration, direct, cluster) = try await server(settings, logger: logger)
        let schemaVersion = try await migrate(direct, on: loop, logger: logger)
        let sealingKey = try sealingKey(settings)
        let pool = PostgresPool(configuration, limits: .init(connections: 1), on: loop, logger: logger)
        let stores = Stores(pool: pool, sealingKey: sealingKey)
        let timeZones: Set<String>
        do {
            try await stores.instance.verify(sealingKey)
            try await stores.instance.verifyCommitsAreDurable()
            timeZones = Set(try await stores.timeZones.names())
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        return Database(
            configuration: configuration, direct: direct, cluster: cluster, sealingKey: sealingKey,
            schemaVersion: schemaVersion, timeZones: timeZones)
    }

    /// Applies what is missing; several processes may do so at once. Returns the schema's number.
    static func migrate(_ configuration: PostgresConfiguration, on loop: EventLoop, logger: Logger) async throws -> Int
    {
        let migrator = try Migrator(directory: try Resources.directory("Migrations"))
        let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
        do {
            for migration in try await migrator.apply(on: connection) {
                logger.info("migrated", metadata: ["number": "\(migration.number)", "name": "\(migration.name)"])
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return Int(migrator.migrations.last?.number ?? 0)
    }

    static func server(
        _ settings: Settings, logger: Logger
    ) async throws -> (PostgresConfiguration, PostgresConfiguration, LocalCluster?) {
        if let url = settings.databaseURL {
            var configuration = try PostgresConfiguration(url)
            guard let direct = settings.directDatabaseURL else { return (configuration, configuration, nil) }
            // There is a pooler, which may give each transaction another of its connections.
            configuration.preparedStatements = 0
            configuration.keepsCommitsDurable = false
            return (configuration, try PostgresConfiguration(direct), nil)
        }
        let cluster = try await LocalCluster.start(
            directory: "\(settings.stateDirectory)/postgres", logger: logger)
        return (cluster.configuration, cluster.configuration, cluster)
    }

    private static func sealingKey(_ settings: Settings) throws -> SealingKey {
        if let text = settings.sealingKey { return try SealingKey(text: text) }
        return try SealingKey.load(file: settings.sealingKeyFile ?? "\(settings.stateDirectory)/sealing.key")
    }

    /// Connections of one pool.
    static let poolConnections = 8

    func stores(on loop: EventLoop, logger: Logger) -> Stores {
        let pool = PostgresPool(
            configuration, limits: .init(connections: Self.poolConnections), on: loop, logger: logger)
        return Stores(pool: pool, sealingKey: sealingKey)
    }

    func close() async { await cluster?.stop() }
}
