import EventLoop
public import Logging
public import Postgres

/// A logger that writes nothing.
public let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A database, a loop, and a connection on it; the body prefers the loop.
public func withConnection(
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresConnection, PostgresConfiguration) async throws -> Void
) async throws {
    try await TestDatabase.withDatabase { configuration in
        var configuration = configuration
        change(&configuration)
        try await TestLoop.run { [configuration] loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
            try await body(connection, configuration)
            await connection.close()
        }
    }
}

/// The error that the body throws, if it is PostgreSQL's.
public func postgresError(_ body: () async throws -> Void) async -> PostgresError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

// #expect cannot hold a subscript that throws.
extension PostgresRows {
    public func value<Value: PostgresDecodable>(_ column: Int, _ type: Value.Type) throws -> Value {
        try self[0][column, as: type]
    }
}

extension PostgresRow {
    public func value<Value: PostgresDecodable>(_ column: Int, _ type: Value.Type) throws -> Value {
        try self[column, as: type]
    }
}
