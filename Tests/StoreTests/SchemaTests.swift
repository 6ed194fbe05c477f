import Campaigns
import Foundation
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct SchemaTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    /// `make schema` writes the document.
    @Test func documentShowsTheCurrentSchema() async throws {
        let file = Self.repository.appending(path: "Docs/schema.sql")
        try await StoreFixture.run { fixture in
            let text = try await SchemaDocument.text(of: fixture.pool)
            if getenv("BELFRY_WRITE_SCHEMA") != nil { try Data(text.utf8).write(to: file) }
            let version = try await fixture.pool.query("SELECT current_setting('server_version_num')::int / 10000")
            // Newer versions leave out the names of tables in views with one table.
            let isOld = try version[0][0, as: Int32.self] == 15
            func compared(_ text: String) -> String { isOld ? text : text.replacing(/\b[a-z_]+\./, with: "") }
            let isSame = compared(try String(contentsOf: file, encoding: .utf8)) == compared(text)
            #expect(isSame, "Docs/schema.sql differs from the migrations; run `make schema`")
        }
    }

    /// Two kinds of rows also exist without an app: keys of all apps, and records of what happened outside of them.
    @Test func keysOfTablesThatBelongToAppsLeadWithTheApp() async throws {
        try await StoreFixture.run { fixture in
            let others = try await fixture.pool.query(
                """
                SELECT c.relname::text FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'app_id'
                JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND i.indkey[0] <> a.attnum
                ORDER BY 1
                """)
            #expect(try others.map { try $0[0, as: String.self] } == ["api_keys", "audit_log"])
        }
    }

    /// A plan that is made while a table is empty may be used for long. Each index leads to few rows of an app.
    @Test(arguments: [
        ("JOIN batches x ON x.app_id = g.app AND x.id = g.id", "app_id = g.app) AND (id = g.id"),
        ("JOIN batches x ON x.app_id = g.app AND x.run_id = g.id", "run_id = g.id) AND (app_id = g.app"),
        (
            "JOIN batches x ON x.app_id = g.app AND x.message_number = g.id",
            "app_id = g.app) AND (message_number = g.id"
        ),
        ("JOIN runs x ON x.app_id = g.app AND x.id = g.id", "app_id = g.app) AND (id = g.id"),
        (
            "JOIN run_variants x ON x.app_id = g.app AND x.message_number = g.id",
            "message_number = g.id) AND (app_id = g.app"
        ),
        ("JOIN run_variants x ON x.app_id = g.app AND x.run_id = g.id", "app_id = g.app) AND (run_id = g.id"),
    ])
    func plansOfEmptyTablesDoNotReadWholeApps(_ join: String, _ condition: String) async throws {
        try await StoreFixture.run { fixture in
            let plan = try await fixture.pool.transaction { connection in
                try await connection.execute("SET LOCAL enable_seqscan = off")
                return try await connection.query(
                    "EXPLAIN SELECT x.* FROM unnest('{1}'::bigint[], '{1}'::bigint[]) AS g (app, id) \(unescaped: join)"
                ).map { try $0[0, as: String.self] }.joined(separator: " ")
            }
            #expect(plan.contains("Index Cond: ((\(condition)))"), "\(plan)")
        }
    }

    @Test func columnDefaultsAreTheDefaultsOfTheCode() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.pool.query(
                "INSERT INTO apps (name, bundle_id) VALUES ('A', 'com.example.a') RETURNING \(AppRecord.columns)")
            let record = try AppRecord(app[0])
            #expect(record.settings == AppSettings(name: "A", bundleID: try BundleID("com.example.a")))
            let campaign = try await fixture.pool.query(
                """
                INSERT INTO campaigns (app_id, name, payload) VALUES (\(record.id), 'C', '{}')
                RETURNING \(CampaignRecord.columns)
                """)
            #expect(try CampaignRecord(campaign[0]).content == CampaignContent(name: "C", payload: "{}"))
            #expect(try CampaignRecord(campaign[0]).state == .draft)
        }
    }

    @Test func outcomeBytesMeanTheSameInSQLAndInSwift() async throws {
        try await StoreFixture.run { fixture in
            let rows = try await fixture.pool.query(
                """
                SELECT byte, outcome_code(byte), outcome_is_resent(byte),
                    outcome_byte(outcome_code(byte), outcome_is_resent(byte))
                FROM generate_series(0, 255) AS byte
                """)
            #expect(rows.count == 256)
            for row in rows {
                let byte = OutcomeByte(rawValue: UInt8(try row[0, as: Int32.self]))
                #expect(try row[1, as: Int32.self] == Int32(byte.code))
                #expect(try row[2, as: Bool.self] == byte.isResent)
                #expect(try row[3, as: Int32.self] == Int32(byte.rawValue))
            }
        }
    }
}
