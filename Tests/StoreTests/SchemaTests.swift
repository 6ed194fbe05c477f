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
}
