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

    /// The columns and values that migration 0015 renames and converts, with rows from before.
    @Test func plainNamesKeepTheRowsFromBefore() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let migrations = Self.repository.appending(path: "Migrations")
        let names = try FileManager.default.contentsOfDirectory(atPath: migrations.path).sorted()
        for name in names where name < "0015" {
            try FileManager.default.copyItem(
                at: migrations.appending(path: name), to: folder.appending(path: name))
        }
        try await StoreFixture.run { fixture in
            try await fixture.pool.withConnection { connection in
                try await connection.queryScript("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
                _ = try await Migrator(directory: folder.path).apply(on: connection)
                try await connection.queryScript(
                    """
                    INSERT INTO apps (name, bundle_id, cap_count, cap_days) VALUES ('A', 'com.example.a', 2, 7);
                    INSERT INTO campaigns (app_id, name, payload, brake_percent) SELECT id, 'C', '{}', 30 FROM apps;
                    INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, system_identifier,
                        timeline, database_oid, expiration_seconds, message_key_version, priority, push_type,
                        unknown_policy, payload, audience)
                    SELECT app_id, id, now(), 9, 3, 1, 1, 1, 60, 1, 10, 'alert', 'leave', '{}', '{}' FROM campaigns;
                    INSERT INTO batches (run_id, app_id, first_id, last_id, size, pending, accepted, moved, resent, state,
                        owner, lease_until, environment, outcomes, recipients)
                    SELECT r.id, r.app_id, 1, 3, 3, p, a, m, s, v.state, owner, until, 0, o::bytea, '{1,2,3}'
                    FROM runs r CROSS JOIN (VALUES
                        (2, 1, 0, 0, 0, NULL::uuid, NULL::timestamptz, '\\x000109'),
                        (3, 0, 0, 0, 1, gen_random_uuid(), now(), '\\x000000'),
                        (0, 2, 1, 1, 2, NULL, NULL, '\\x810201')) AS v (p, a, m, s, state, owner, until, o);
                    """)
                _ = try await Migrator(directory: migrations.path).apply(on: connection)
                let batches = try await connection.query("SELECT state, deferred FROM batches ORDER BY id")
                #expect(try batches.map { try $0[0, as: String.self] } == ["ready", "leased", "done"])
                #expect(try batches.map { try $0[1, as: Int32.self] } == [0, 0, 1])
                let deliveries = try await connection.query(
                    "SELECT outcome, coalesce(reason, ''), is_resent FROM bi.deliveries ORDER BY batch_id, device_id")
                #expect(
                    try deliveries.map { "\(try $0[0, as: String.self]) \(try $0[1, as: String.self])" } == [
                        "pending ", "accepted ", "pending requeued", "pending ", "pending ", "pending ", "accepted ",
                        "accepted ",
                    ])
                #expect(try deliveries.map { try $0[2, as: Bool.self] }.firstIndex(of: true) == 6)
                let renamed = try await connection.query(
                    """
                    SELECT a.frequency_cap_count, a.frequency_cap_days, c.rejection_threshold_percent
                    FROM apps a JOIN campaigns c ON c.app_id = a.id
                    """)
                #expect(try (0..<3).map { try renamed[0][$0, as: Int16.self] } == [2, 7, 30])
            }
        }
    }
}
