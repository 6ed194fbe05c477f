import Logging
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct ServerRequirementsTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The refusal of a connection to the fixture's server with changed settings.
    private func refusal(
        _ fixture: StoreFixture, _ change: (inout PostgresConfiguration) -> Void = { _ in }
    ) async throws -> UnsuitableServer? {
        var configuration = fixture.configuration
        change(&configuration)
        configuration = try PostgresConfiguration("\(configuration) password=test")
        let connection = try await PostgresConnection.connect(configuration, on: fixture.loop, logger: Self.quiet)
        do {
            try await ServerRequirements.verify(on: connection)
            await connection.close()
            return nil
        } catch let refusal as UnsuitableServer {
            await connection.close()
            return refusal
        }
    }

    private func withRole(_ body: (StoreFixture, String) async throws -> Void) async throws {
        try await StoreFixture.run { fixture in
            let role = "plain_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute("CREATE ROLE \(unescaped: role) LOGIN PASSWORD 'test'")
            try await body(fixture, role)
            try await fixture.pool.execute("DROP OWNED BY \(unescaped: role) CASCADE")
            try await fixture.pool.execute("DROP ROLE \(unescaped: role)")
        }
    }

    @Test func databaseOfTheTestsIsSuitable() async throws {
        try await StoreFixture.run { fixture in
            let refusal = try await refusal(fixture)
            #expect(refusal == nil)
        }
    }

    @Test func olderVersionIsRefused() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.pool.withConnection { connection in
                let version = try await connection.query("SHOW server_version")
                let expected = UnsuitableServer.tooOld(version: try version[0][0])
                await #expect(throws: expected) { try await ServerRequirements.verify(on: connection, oldest: 99) }
                #expect(expected.description.contains("is too old; Belfry requires version 15 or newer"))
            }
        }
    }

    @Test(arguments: ["SQL_ASCII", "LATIN1"])
    func encodingOtherThanUTF8IsRefused(_ encoding: String) async throws {
        try await StoreFixture.run { fixture in
            let name = "other_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute(
                "CREATE DATABASE \(unescaped: name) ENCODING '\(unescaped: encoding)' LOCALE 'C' TEMPLATE template0")
            let refusal = try await refusal(fixture) { $0.database = name }
            #expect(refusal == .encoding(encoding, database: name, role: "belfry"))
            try await fixture.pool.execute("DROP DATABASE \(unescaped: name) WITH (FORCE)")
        }
    }

    @Test func roleThatCantCreateTablesIsRefused() async throws {
        try await withRole { fixture, role in
            let name = fixture.configuration.database ?? ""
            try await fixture.pool.execute("ALTER TABLE schema_migrations RENAME TO renamed")
            #expect(
                try await refusal(fixture) { $0.user = role } == .cannotCreateTables(role: role, database: name))
        }
    }

    @Test func roleThatDoesNotOwnTheTablesIsRefused() async throws {
        try await withRole { fixture, role in
            let name = fixture.configuration.database ?? ""
            let expected = UnsuitableServer.otherOwner("belfry", role: role, database: name)
            #expect(try await refusal(fixture) { $0.user = role } == expected)
            #expect(expected.description.hasSuffix("GRANT belfry TO \(role)"))
            try await fixture.pool.execute("GRANT belfry TO \(unescaped: role)")
            #expect(try await refusal(fixture) { $0.user = role } == nil)
        }
    }

    @Test func roleThatCantReadTheStartTimeIsRefused() async throws {
        try await withRole { fixture, role in
            let name = fixture.configuration.database ?? ""
            try await fixture.pool.execute("GRANT CREATE ON SCHEMA public TO \(unescaped: role)")
            try await fixture.pool.execute("GRANT CREATE ON DATABASE \(unescaped: name) TO \(unescaped: role)")
            try await fixture.pool.execute("REVOKE EXECUTE ON FUNCTION pg_postmaster_start_time() FROM PUBLIC")
            try await fixture.pool.execute("DROP TABLE schema_migrations")
            let refusal = try await refusal(fixture) { $0.user = role }
            #expect(refusal == .cannotReadStartTime(role: role, database: name))
        }
    }
}
