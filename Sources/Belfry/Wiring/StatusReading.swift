import Application
import EventLoop
import Logging
import Postgres
import PrivatePostgres
import Store

/// Reads the status of the system beside the running processes: starts no PostgreSQL, applies no migrations, and needs no
/// sealing key.
struct StatusReading {
    let settings: Settings

    func read(on loop: EventLoop) async -> Result<SystemStatus, CommandFailure> {
        do {
            var configuration = try configuration()
            configuration.applicationName = configuration.applicationName ?? settings.process.session("status")
            // The answer says what is known about the outage.
            let pool = PostgresPool(
                configuration, limits: .init(connections: 1), on: loop, logger: Logger.make(level: .critical))
            let answer = await read(pool)
            await pool.close()
            return answer
        } catch let error as CommandFailure {
            return .failure(error)
        } catch {
            return .failure(CommandFailure("\(error)"))
        }
    }

    /// Without a pooler, if there is an address for that.
    private func configuration() throws -> PostgresConfiguration {
        if let url = settings.directDatabaseURL ?? settings.databaseURL { return try PostgresConfiguration(url) }
        try PrivateDatabase.ifItExists.check(directory)
        return LocalCluster.configuration(of: directory)
    }

    private var directory: String { "\(settings.stateDirectory)/postgres" }

    private func read(_ pool: PostgresPool) async -> Result<SystemStatus, CommandFailure> {
        do {
            let facts = try await StatusStore(pool: pool).facts(seenWithin: SystemStatus.lostAreListed)
            return .success(SystemStatus(facts))
        } catch let error as PostgresError where error.isAboutSchema {
            return .failure(await otherSchema(pool))
        } catch {
            return .failure(
                CommandFailure(
                    settings.databaseURL == nil
                        ? """
                        Belfry's own PostgreSQL in \(directory) does not answer: \(error). It runs as long as "belfry serve" \
                        does; start that.
                        """
                        : "The database does not answer: \(error). Check that PostgreSQL runs, and DATABASE_URL."))
        }
    }

    private func otherSchema(_ pool: PostgresPool) async -> CommandFailure {
        do {
            let version = try await InstanceStore(pool: pool).schema().number
            return CommandFailure(
                """
                This program can't read the database, which has the schema version \(version). Use the "belfry" of the \
                version that runs.
                """)
        } catch {
            return CommandFailure(
                """
                The database has no tables of Belfry. Check DATABASE_URL; if the database is new, start "belfry serve" first.
                """)
        }
    }
}

extension PostgresError {
    /// A table, a column or a function is missing.
    fileprivate var isAboutSchema: Bool { ["42P01", "42703", "42883"].contains(sqlState) }
}
