import EventLoop
import Logging
import Postgres
import Store

/// Checks at start, before the schema is changed, that Belfry can work with the database of the settings.
struct DatabaseCheck {
    let configuration: PostgresConfiguration
    /// The same database without a pooler.
    let direct: PostgresConfiguration
    /// Whether a pooler is expected, because DATABASE_DIRECT_URL is set.
    let hasDirectURL: Bool

    /// Throws `UnsuitableServer`, `UnsuitableAddress` or `PostgresError`.
    func run(on loop: EventLoop, logger: Logger) async throws {
        do {
            try await verify(on: loop, logger)
        } catch let error as PostgresError {
            if let refusal = UnsuitableAddress(refusal: error.message) { throw refusal }
            throw error
        }
    }

    private func verify(on loop: EventLoop, _ logger: Logger) async throws {
        guard try await !SharedSessions.areUsed(by: direct, on: loop, logger: logger) else {
            throw hasDirectURL ? UnsuitableAddress.directIsPooled : .isPooled
        }
        let own = try await connected(to: direct, on: loop, logger) { connection in
            try await ServerRequirements.verify(on: connection)
            return try await ServerDatabase.find(on: connection)
        }
        guard hasDirectURL else { return }
        let pooled = try await connected(to: configuration, on: loop, logger, ServerDatabase.find)
        guard pooled == own else { throw UnsuitableAddress.differ(database: pooled.name, direct: own.name) }
    }

    private func connected<Value: Sendable>(
        to configuration: PostgresConfiguration, on loop: EventLoop, _ logger: Logger,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
        do {
            let value = try await body(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }
}

/// DATABASE_URL and DATABASE_DIRECT_URL don't lead where they must.
enum UnsuitableAddress: Error, Hashable, CustomStringConvertible {
    case isPooled
    case directIsPooled
    case hasNoTransactions
    /// A parameter in DATABASE_URL that the pooler does not know.
    case refusesParameter(String)
    /// Names of databases as quoted identifiers.
    case differ(database: String, direct: String)

    /// From a message of PgBouncer; nil for all others. PgBouncer gives them the code of an outage, and waiting does
    /// not help.
    init?(refusal message: String) {
        if message.contains("statement pooling mode") {
            self = .hasNoTransactions
        } else if let text = message.firstRange(of: "unsupported startup parameter: ") {
            self = .refusesParameter(String(message[text.upperBound...].prefix { $0.isLetter || $0 == "_" }))
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .isPooled:
            """
            DATABASE_URL leads to a connection pooler that shares sessions between clients, such as PgBouncer in \
            transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself as well.
            """
        case .directIsPooled:
            """
            DATABASE_DIRECT_URL leads to a connection pooler that shares sessions between clients. Set it to the address \
            of PostgreSQL itself.
            """
        case .hasNoTransactions:
            """
            DATABASE_URL leads to a connection pooler in statement mode, which allows no transactions. Set pool_mode = \
            transaction in its configuration.
            """
        case .refusesParameter(let name):
            """
            DATABASE_URL leads to a connection pooler that does not accept the parameter \(name). Remove it from the URL, \
            and set what it sets for the role: ALTER ROLE … SET …
            """
        case .differ(let database, let direct):
            """
            DATABASE_URL and DATABASE_DIRECT_URL lead to different databases (\(database) and \(direct)). Both must lead \
            to the same database of the same server.
            """
        }
    }
}
