import Foundation
import Postgres
import StoreSupport
import Testing

/// The queries of the documents for analysts are valid, and a reader may run them.
struct DocumentedQueriesTests {
    @Test(arguments: ["ledger.md", "analysts.md"])
    func queriesRunAsAReader(_ page: String) async throws {
        let queries = try Self.queries(of: page)
        #expect(queries.count >= 4)
        try await StoreFixture.run { fixture in
            _ = try await fixture.app()
            let role = "reader_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute("CREATE ROLE \(unescaped: role)")
            _ = try await fixture.pool.query("SELECT grant_reading(\(role)::text::name)")
            try await fixture.pool.transaction { connection in
                try await connection.execute("SET LOCAL ROLE \(unescaped: role)")
                for query in queries { _ = try await connection.query(PostgresQuery(unescaped: query)) }
            }
            try await fixture.pool.execute("DROP OWNED BY \(unescaped: role)")
            try await fixture.pool.execute("DROP ROLE \(unescaped: role)")
        }
    }

    private static func queries(of page: String) throws -> [String] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/\(page)")
        let text = try String(contentsOf: path.standardized, encoding: .utf8)
        return text.components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            // The rest are answers and comments.
            .filter { $0.hasPrefix("SELECT") }
    }
}
