import Administration
import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct AuditStoreTests {
    private static func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            actor: .init(.user, id: 7, name: "mina@example.com"), action: "campaigns.start",
            resource: "/v1/apps/1/campaigns/\(number)", app: App.ID(rawValue: 1), address: "192.0.2.1",
            requestID: "r\(number)", before: #"{"state":"draft"}"#, after: #"{"state":"sending"}"#)
    }

    /// Runs a change that only the owner of the table could make.
    private static func tamper(_ fixture: StoreFixture, _ change: PostgresQuery) async throws {
        try await fixture.pool.execute("ALTER TABLE audit_log DISABLE TRIGGER audit_log_is_kept")
        try await fixture.pool.execute(change)
    }

    @Test func chainOfManyWritersIsIntact() async throws {
        try await StoreFixture.run { fixture in
            let audit = fixture.stores.audit
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...40 {
                    group.addTask(executorPreference: fixture.loop) { try await audit.add(Self.entry(number)) }
                }
                try await group.waitForAll()
            }
            let found = try await audit.verify()
            #expect(found.fault == nil && found.records == 40 && found.last?.id.rawValue == 40)
            let records = try await audit.list(AuditStore.Filter(), before: nil, limit: 100)
            #expect(Set(records.map(\.entry)) == Set((1...40).map(Self.entry)))
        }
    }

    @Test(arguments: [
        ("UPDATE audit_log SET actor_name = 'ada@example.com' WHERE id = 3", 3, "was changed"),
        ("UPDATE audit_log SET at = at + interval '1 microsecond' WHERE id = 2", 2, "was changed"),
        ("UPDATE audit_log SET after = NULL WHERE id = 5", 5, "was changed"),
        ("DELETE FROM audit_log WHERE id = 3", 4, "missing"),
        ("UPDATE audit_log SET hash = sha256('x') WHERE id = 2", 2, "was changed"),
        ("UPDATE audit_log SET previous_hash = sha256('x') WHERE id = 4", 4, "not chained"),
        ("UPDATE audit_log SET previous_hash = sha256('x') WHERE id = 1", 1, "beginning"),
    ])
    func everyTamperingIsFound(_ change: String, _ record: Int64, _ reason: String) async throws {
        try await StoreFixture.run { fixture in
            for number in 1...5 { try await fixture.stores.audit.add(Self.entry(number)) }
            try await Self.tamper(fixture, PostgresQuery(stringLiteral: change))
            let fault = try #require(try await fixture.stores.audit.verify().fault)
            #expect(fault.record.rawValue == record && fault.reason.contains(reason))
        }
    }

    @Test func recordsAreNeitherChangedNorDeletedByAccident() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.stores.audit.add(Self.entry(1))
            await #expect(throws: PostgresError.self) {
                try await fixture.pool.execute("UPDATE audit_log SET action = 'x'")
            }
            await #expect(throws: PostgresError.self) { try await fixture.pool.execute("DELETE FROM audit_log") }
        }
    }

    @Test func recordIsStoredIfAndOnlyIfTheChangeIs() async throws {
        struct Undone: Error {}
        try await StoreFixture.run { fixture in
            let audit = fixture.stores.audit
            await #expect(throws: Undone.self) {
                try await fixture.pool.joiningTransaction {
                    try await audit.add(Self.entry(1))
                    throw Undone()
                }
            }
            let found = try await audit.verify()
            #expect(found.records == 0)
        }
    }

    @Test func prunedLogBeginsLaterAndSaysSo() async throws {
        try await StoreFixture.run { fixture in
            let audit = fixture.stores.audit
            for number in 1...3 { try await audit.add(Self.entry(number)) }
            let middle = try await audit.list(AuditStore.Filter(), before: nil, limit: 3)[1].at
            #expect(try await audit.prune(before: middle, by: .init(.console, name: "root")) == 1)
            #expect(try await audit.prune(before: .now + .seconds(60), by: .init(.console, name: "root")) == 2)
            let found = try await audit.verify()
            #expect(found.fault == nil && found.records == 2 && found.first?.rawValue == 4)
            let newest = try await audit.list(AuditStore.Filter(), before: nil, limit: 1)[0].entry
            #expect(newest.action == "audit.prune" && newest.after?.contains(#""records":2"#) == true)
        }
    }
}
