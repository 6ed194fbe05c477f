import Campaigns
import Postgres
import Store
import StoreSupport
import Testing

@Suite struct PushStoreTests {
    private static let owner = ProcessID()

    private static func batch(
        _ fixture: StoreFixture, _ app: AppRecord, _ outcomes: [UInt8], first: Int64 = 1
    ) async throws -> PushBatch {
        let number = try await fixture.stores.pushes(owner: owner).messageNumbers(1)[0]
        return PushBatch(
            app: app.id, environment: .production, messageNumber: number, messageKeyVersion: 1,
            // Not in the order of ids: requests have their own order.
            recipients: outcomes.indices.reversed().map { first + Int64($0) }, outcomes: outcomes)
    }

    private static func key(_ text: String) throws -> IdempotencyKey {
        try #require(IdempotencyKey(text, of: .apiKey(1), bodyHash: [UInt8](repeating: 7, count: 32)))
    }

    @Test func batchesAreInsertedLeasedAndFinishedTogether() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.pushes(owner: Self.owner)
            let batches = [
                try await Self.batch(fixture, app, [0, 10, 0]), try await Self.batch(fixture, app, [15]),
                try await Self.batch(fixture, app, [0, 0], first: 3),
            ]
            let ids = try await store.insert(batches, keeping: [], lease: .seconds(60))
            #expect(ids.count == 3)
            #expect(try await store.adopt(batches.map(\.name), lease: .seconds(60)) == ids)
            let rows = try await fixture.pool.query(
                "SELECT state, pending, suppressed, sent_through, recipients, outcomes FROM batches ORDER BY message_number"
            )
            #expect(try rows.map { try $0[0, as: String.self] } == ["leased", "done", "leased"])
            #expect(try rows.map { try $0[1, as: Int32.self] } == [2, 0, 2])
            #expect(try rows.map { try $0[3, as: Int32.self] } == [3, 1, 2])
            #expect(try rows.map { try $0[4, as: [Int64].self] } == batches.map(\.recipients))
            #expect(try rows.map { try $0[5, as: [UInt8].self] } == batches.map(\.outcomes))

            let open = [batches[0], batches[2]].compactMap { ids[$0.messageNumber] }
            #expect(try await store.renew(open, lease: .seconds(60)) == Set(open))
            // Another owner.
            let other = fixture.stores.pushes(owner: ProcessID())
            #expect(try await other.renew(open, lease: .seconds(60)).isEmpty)
            var first = Ledger()
            (first[.accepted], first[.suppressed], first[.pending]) = (1, 1, 1)
            var second = Ledger()
            second[.accepted] = 2
            let updates = [
                PushBatchUpdate(batch: open[0], outcomes: [1, 10, 0], ledger: first),
                PushBatchUpdate(batch: open[1], outcomes: [1, 1], ledger: second),
            ]
            #expect(try await other.store(updates, lease: .seconds(60)).isEmpty)
            #expect(try await store.store(updates, lease: .seconds(60)) == Set(open))
            let states = try await fixture.pool.query(
                "SELECT state, outcomes, ended_at IS NOT NULL FROM batches ORDER BY message_number")
            #expect(try states.map { try $0[0, as: String.self] } == ["leased", "done", "done"])
            #expect(try states.map { try $0[1, as: [UInt8].self] } == [[1, 10, 0], [15], [1, 1]])
            #expect(try states.map { try $0[2, as: Bool.self] } == [false, true, true])

            let newest = try await fixture.stores.deviceHistory.deliveries(
                of: Device.ID(rawValue: 1), app: app.id, before: nil, limit: 1)
            #expect(
                newest.deliveries.count == 1 && newest.deliveries.allSatisfy { $0.campaign == nil && $0.run == nil })
            let older = try await fixture.stores.deviceHistory.deliveries(
                of: Device.ID(rawValue: 1), app: app.id, before: newest.next, limit: 10
            ).deliveries
            #expect(Set((newest.deliveries + older).map(\.outcome)) == [.suppressed, .pending] && older.count == 1)
            // The device's history is complete and needs no run.
            let history = try await fixture.pool.query(
                "SELECT message_number, outcome FROM bi.device_history(\(app.id), 1) ORDER BY message_number DESC")
            #expect(
                try history.map { "\(try $0[0, as: Int64.self]) \(try $0[1, as: String.self])" } == [
                    "\(batches[1].messageNumber) suppressed", "\(batches[0].messageNumber) pending",
                ])
        }
    }

    @Test func abandonedBatchBecomesUnknown() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.pushes(owner: Self.owner)
            let lost = try await Self.batch(fixture, app, [0, 10, 0])
            let held = try await Self.batch(fixture, app, [0])
            _ = try await store.insert([lost], keeping: [], lease: .milliseconds(-1))
            _ = try await store.insert([held], keeping: [], lease: .seconds(60))
            // PostgreSQL started less than a lease ago, so the owner may still store outcomes.
            #expect(try await store.endAbandoned(limit: 10, lease: .seconds(1_000_000)) == 0)
            try await fixture.pool.execute(
                "UPDATE batches SET outcomes = set_byte(outcomes, 0, 1), pending = 1, accepted = 1 WHERE size = 3")
            while try await store.endAbandoned(limit: 10, lease: .milliseconds(1)) == 0 {}
            let rows = try await fixture.pool.query(
                "SELECT state, outcomes, unknown, pending FROM batches ORDER BY id")
            #expect(try rows.map { try $0[0, as: String.self] } == ["done", "leased"])
            #expect(try rows[0][1, as: [UInt8].self] == [1, 10, OutcomeCode.unknownWorkerLost])
            #expect(try rows[0][2, as: Int32.self] == 1)
            // Claims and takeovers of campaigns ignore both.
            let claims = fixture.stores.claims(owner: Self.owner)
            #expect(try await claims.takeOver(except: [], limit: 8, lease: .milliseconds(1)).isEmpty)
        }
    }

    @Test func duplicateKeyInsertsNoBatch() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.pushes(owner: Self.owner)
            let first = try await Self.batch(fixture, app, [0])
            let receipt = PushReceipt(
                id: PushRequestID([.init(messageNumber: first.messageNumber, first: 0, count: 1)]),
                entries: [.init(target: 0, id: PushPayload.placeholderID, code: 0)])
            let kept = StoredPushKey(app: app.id, key: try Self.key("k"), receipt: receipt)
            _ = try await store.insert([first], keeping: [kept], lease: .seconds(60))
            let second = try await Self.batch(fixture, app, [0])
            do {
                _ = try await store.insert([second], keeping: [kept], lease: .seconds(60))
                Issue.record("the key was inserted twice")
            } catch let error as PostgresError {
                #expect(error.isUniqueViolation(constraint: PushKeyStore.constraint))
            }
            #expect(try await store.adopt([second.name], lease: .seconds(60)).isEmpty)
            let keys = fixture.stores.pushKeys
            let found = try #require(try await keys.find(try Self.key("k"), app: app.id))
            #expect(found.receipt == receipt)
            #expect(found.answer(to: try Self.key("k")) == .alreadyAccepted(receipt))
            let other = try #require(IdempotencyKey("k", of: .apiKey(1), bodyHash: [UInt8](repeating: 8, count: 32)))
            #expect(found.answer(to: other) == .keyInUse)
            #expect(try await keys.find(try Self.key("k"), app: try await fixture.app("com.example.Other").id) == nil)
        }
    }

    @Test func appWithLeasedPushesCannotBeDeleted() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let store = fixture.stores.pushes(owner: Self.owner)
            let batch = try await Self.batch(fixture, app, [0])
            let id = try #require(
                try await store.insert([batch], keeping: [], lease: .seconds(60))[batch.messageNumber])
            await #expect(throws: Refusal.appIsSending) { try await fixture.apps.delete(app.id) }
            var ledger = Ledger()
            ledger[.accepted] = 1
            _ = try await store.store([.init(batch: id, outcomes: [1], ledger: ledger)], lease: .seconds(60))
            try await fixture.apps.delete(app.id)
            #expect(try await fixture.pool.query("SELECT FROM batches").isEmpty)
            #expect(try await fixture.pool.query("SELECT FROM push_recipients").isEmpty)
            // Nothing is stored for a deleted app.
            let late = PushBatch(
                app: app.id, environment: .production, messageNumber: 999, messageKeyVersion: 1, recipients: [1],
                outcomes: [0])
            #expect(try await store.insert([late], keeping: [], lease: .seconds(60)).isEmpty)
            #expect(try await fixture.pool.query("SELECT FROM push_recipients").isEmpty)
        }
    }

    @Test func suppressionsHaveReasonsInTheTable() async throws {
        try await StoreFixture.run { fixture in
            for code in try await fixture.stores.outcomeCodes.all() where code.kind == .suppressed {
                guard let reason = OutcomeCode.suppressionReason(code.code) else { continue }
                #expect(reason == code.reason)
            }
            #expect(OutcomeCode.suppressionReason(OutcomeCode.pending) == nil)
        }
    }
}
