import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

@Suite struct RunStoreTests {
    private static let accepted = OutcomeCode.accepted
    private static let badToken: UInt8 = 21
    private static let unregistered: UInt8 = 45

    @Test func ledgerIsTheSumOfItsBatches() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let run = try await fixture.run(of: campaign)
            let first = try await fixture.batch(of: run, app: app.id, outcomes: [1, 1 | 0x80, 2, 45, 10, 0])
            try await fixture.batch(of: run, app: app.id, first: 3, outcomes: [3], deferredFrom: first)
            try await fixture.batch(of: run, app: app.id, first: 10, outcomes: [4, 5])

            let record = try await fixture.runs.find(run, app: app.id)

            #expect(record.targeted == 8)
            #expect(record.isBalanced)
            let counts = OutcomeKind.allCases.map { record.ledger[$0] }
            #expect(counts == [1, 2, 1, 1, 1, 1, 1, 1])
            #expect(record.ledger.resent == 1)
            #expect(try await fixture.runs.list(campaign: campaign.id, app: app.id, before: nil, limit: 5) == [record])
            await #expect(throws: Refusal.notFound(.run)) {
                try await fixture.runs.find(run, app: .init(rawValue: app.id.rawValue + 1))
            }
        }
    }

    /// Devices 1 and 2 were accepted, 3 is unknown, 4 was rejected, 5 was suppressed.
    @Test func reportsOfUnsentPushesAreFound() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, outcomes: [1, 1, 5, Self.badToken, 10])
            #expect(try await fixture.runs.unexpectedReports(fixture.key(run)) == 0)
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT r.app_id, r.message_number, e.device, e.kind, now()
                FROM run_variants r, (VALUES (1, 1), (2, 1), (2, 3), (3, 1), (4, 1), (4, 3), (5, 1)) AS e (device, kind)
                """)

            #expect(try await fixture.runs.unexpectedReports(fixture.key(run)) == 2)
        }
    }

    @Test func runWaitsUntilItsNextRecipientIsDue() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, outcomes: [0, 0])
            func read() async throws -> RunRecord { try await fixture.runs.find(run, app: app.id) }
            #expect(try await read().stateName == "sending")
            try await fixture.pool.execute("UPDATE batches SET due_at = now() + interval '1 hour'")
            // It is still being planned.
            #expect(try await read().stateName == "sending")
            try await fixture.pool.execute("UPDATE runs SET planned_at = now()")
            let waiting = try await read()
            #expect(waiting.stateName == "waiting" && (waiting.nextAt.map { $0 > .now } ?? false))
            try await fixture.batch(of: run, app: app.id, first: 10, outcomes: [0])
            #expect(try await read().stateName == "sending")
        }
    }

    @Test func progressOfACancelledRunIsWhatWasSent() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .cancelled))
            try await fixture.pool.execute("UPDATE runs SET state = 'cancelled', planned_at = now(), estimated = 3")
            try await fixture.batch(of: run, app: app.id, outcomes: [1, 4, 4])
            let record = try await fixture.runs.find(run, app: app.id)
            #expect(record.progress == 0.3333 && record.sent == 1)
        }
    }

    @Test func deferredRecipientWithoutLaterBatchIsDetected() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, outcomes: [1, 2])

            let record = try await fixture.runs.find(run, app: app.id)

            #expect(record.targeted == 2)
            #expect(record.ledger.targeted == 1)
            #expect(!record.isBalanced)
        }
    }

    @Test func verifiedRunHasTheTotalsOfTheRecount() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending), state: .finished)
            try await fixture.batch(of: run, app: app.id, outcomes: [1, 1])
            func verify(accepted: Int) async throws -> RunRecord {
                try await fixture.pool.execute(
                    """
                    UPDATE runs SET verified_at = now(), targeted = \(accepted), accepted = \(accepted), rejected = 0,
                        suppressed = 0, expired = 0, cancelled = 0, unknown = 0, deferred = 0, resent = 0
                    """)
                return try await fixture.runs.find(run, app: app.id)
            }

            let right = try await verify(accepted: 2)
            #expect(right.ledger[.accepted] == 2 && right.isBalanced && right.isOver)
            let wrong = try await verify(accepted: 3)
            #expect(wrong.ledger[.accepted] == 3 && !wrong.isBalanced)
        }
    }

    @Test func listsReadTheTotalsOfVerifiedRunsOnly() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let campaign = try await fixture.campaign(of: app, state: .sending)
            let verified = try await fixture.run(of: campaign, state: .finished)
            let open = try await fixture.run(of: campaign)
            for run in [verified, open] { try await fixture.batch(of: run, app: app.id, outcomes: [1, 1]) }
            try await fixture.pool.execute(
                """
                UPDATE runs SET verified_at = now(), targeted = 3, accepted = 2, rejected = 1,
                    suppressed = 0, expired = 0, cancelled = 0, unknown = 0, deferred = 4, resent = 1
                WHERE id = \(verified)
                """)
            func isRight(_ runs: [RunRecord]) -> Bool {
                runs.map(\.id) == [open, verified] && runs[0].ledger[.accepted] == 2 && runs[0].targeted == 2
                    && runs[1].ledger[.rejected] == 1 && runs[1].ledger[.deferred] == 4 && runs[1].ledger.resent == 1
                    && runs[1].targeted == 3 && runs[1].isBalanced
            }
            let runs = fixture.runs
            #expect(isRight(try await runs.list(campaign: campaign.id, app: app.id, before: nil, limit: 9)))
            #expect(
                isRight(
                    try await runs.list(
                        app: app.id, state: nil, since: nil, until: nil, after: nil, limit: 9)))
            #expect(try await runs.newest(of: [campaign.id], app: app.id).map(\.id) == [open])
            // Read alone, it is compared with its batches.
            #expect(try await !runs.find(verified, app: app.id).isBalanced)
        }
    }

    private func reasons(_ run: Run.ID, _ fixture: StoreFixture) async throws -> [ReasonCount] {
        var tally = ReasonTally()
        try await fixture.runs.update(&tally, of: fixture.key(run))
        return tally.reasons
    }

    @Test func reasonsAreCountedAcrossBatches() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, outcomes: [1, 45, 45, 10, 7])
            try await fixture.batch(of: run, app: app.id, first: 100, outcomes: [1, 1])
            try await fixture.batch(of: run, app: app.id, first: 200, outcomes: [45 | 0x80, 1, 0, 10])

            let reasons = try await reasons(run, fixture)

            #expect(reasons.map(\.reason.reason) == ["Unregistered", "notifications denied", "stream reset"])
            #expect(reasons.map(\.reason.kind) == [.rejected, .suppressed, .unknown])
            #expect(reasons.map(\.count) == [3, 2, 1])
        }
    }

    @Test func updatedTallyEqualsANewOne() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let done = try await fixture.batch(of: run, app: app.id, outcomes: [45, 1, 7])
            let open = try await fixture.batch(of: run, app: app.id, first: 10, outcomes: [45, 0, 10])
            var tally = ReasonTally()
            try await fixture.runs.update(&tally, of: fixture.key(run))
            #expect(tally.reasons == (try await reasons(run, fixture)))

            // Finished batches are not read again: otherwise this change would show.
            try await fixture.pool.execute(
                "UPDATE batches SET outcomes = \([45, 45, 45] as [UInt8]) WHERE id = \(done)")
            try await fixture.pool.execute(
                """
                UPDATE batches SET outcomes = \([45, 21, 10] as [UInt8]), pending = 0, rejected = 2, state = 'done'
                WHERE id = \(open)
                """)
            try await fixture.batch(of: run, app: app.id, first: 20, outcomes: [21])
            for _ in 0..<2 {
                try await fixture.runs.update(&tally, of: fixture.key(run))
                #expect(
                    tally.reasons.map(\.reason.reason)
                        == ["BadDeviceToken", "Unregistered", "notifications denied", "stream reset"])
                #expect(tally.reasons.map(\.count) == [2, 2, 1, 1])
            }
        }
    }

    @Test func newReasonIsReadByALaterTally() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            try await fixture.batch(of: run, app: app.id, outcomes: [45])
            var tally = ReasonTally()
            try await fixture.runs.update(&tally, of: fixture.key(run))

            let code = try #require(try await fixture.stores.outcomeCodes.add("BadMood"))
            try await fixture.batch(of: run, app: app.id, first: 10, outcomes: [code.code])
            try await fixture.runs.update(&tally, of: fixture.key(run))

            #expect(tally.reasons.map(\.reason.reason) == ["BadMood", "Unregistered"])
        }
    }

    @Test func deliveriesAreListedByTerm() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await fixture.pool.insertDevices(
                1...2, of: app.id, ["installation": "'phone ' || n", "user_id": "CASE n WHEN 1 THEN 'anna' END"])
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let early = try await fixture.batch(of: run, app: app.id, outcomes: [45 | 0x80, 1, 2])
            try await fixture.batch(of: run, app: app.id, first: 10, outcomes: [21, 45])
            try await fixture.batch(of: run, app: app.id, first: 3, outcomes: [1], deferredFrom: early)
            func devices(
                _ kind: OutcomeKind?, _ reason: String?, deferred: Bool? = nil
            ) async throws -> [Int64] {
                var devices: [Int64] = []
                var next: DeliveryPosition?
                repeat {
                    let page = try await fixture.runs.deliveries(
                        run, app: app.id, DeliveryFilter(kind: kind, reason: reason, isDeferred: deferred), from: next,
                        limit: 1)
                    devices += page.deliveries.map(\.device.rawValue)
                    next = page.next
                } while next != nil
                return devices
            }

            #expect(try await devices(nil, nil) == [1, 2, 10, 11, 3])
            #expect(try await devices(.rejected, nil) == [1, 10, 11])
            #expect(try await devices(.rejected, "Unregistered") == [1, 11])
            #expect(try await devices(.deferred, nil) == [])
            #expect(try await devices(.accepted, nil, deferred: true) == [3])
            #expect(try await devices(nil, nil, deferred: false) == [1, 2, 10, 11])
            #expect(try await devices(.expired, nil) == [])
            #expect(try await devices(.accepted, "no such reason") == [])

            let page = try await fixture.runs.deliveries(
                run, app: app.id, DeliveryFilter(), from: nil, limit: 10)
            #expect(page.next == nil)
            let first = try #require(page.deliveries.first)
            #expect(first.installation == "phone 1" && first.userID == "anna" && first.isResent)
            #expect(first.outcome == OutcomeReason(kind: .rejected, reason: "Unregistered"))
            #expect(page.deliveries[2].installation == nil)
            #expect(page.deliveries.map(\.wasDeferred) == [false, false, false, false, true])
        }
    }

    @Test func rareReasonSearchesABoundedNumberOfBatches() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
            let batches = RunStore.batchesPerPage + 1
            for number in 0..<batches {
                let isLast = number == batches - 1
                try await fixture.batch(
                    of: run, app: app.id, first: Int64(number * 10 + 1), outcomes: [isLast ? 45 : 21])
            }

            let first = try await fixture.runs.deliveries(
                run, app: app.id, DeliveryFilter(kind: .rejected, reason: "Unregistered"), from: nil, limit: 5)
            let second = try await fixture.runs.deliveries(
                run, app: app.id, DeliveryFilter(kind: .rejected, reason: "Unregistered"), from: first.next, limit: 5)

            #expect(first.deliveries.isEmpty && first.next != nil)
            #expect(second.deliveries.count == 1 && second.next == nil)
        }
    }
}
