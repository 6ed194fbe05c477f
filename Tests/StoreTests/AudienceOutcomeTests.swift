import Campaigns
import JSON
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// Conditions about what became of a run, compared with a search in Swift.
@Suite struct AudienceOutcomeTests {
    private struct Sent {
        let run: Int
        let variant: Int
        let device: Int64
        let kind: OutcomeKind
    }

    private struct Reported {
        let run: Int
        let variant: Int
        let device: Int64
        let kind: EventKind
    }

    /// Runs 0 and 1 are of one campaign, 2 of another. Device 5 was deferred to a batch of its own.
    private static let sent: [Sent] = {
        var first: [OutcomeKind] = [.accepted, .rejected, .suppressed, .accepted, .accepted, .accepted]
        first += [.accepted, .unknown, .expired]
        let second: [OutcomeKind] = [.accepted, .accepted, .cancelled, .accepted]
        let other = Array(repeating: OutcomeKind.accepted, count: 9)
        return [first, second, other].enumerated().flatMap { run, kinds in
            kinds.enumerated().map { index, kind in
                Sent(run: run, variant: run == 0 && index > 5 ? 1 : 0, device: Int64(index + 1), kind: kind)
            }
        }
    }()
    private static let reported = [
        Reported(run: 0, variant: 0, device: 1, kind: .opened), Reported(run: 0, variant: 0, device: 1, kind: .engaged),
        Reported(run: 0, variant: 0, device: 4, kind: .delivered),
        Reported(run: 0, variant: 1, device: 7, kind: .action), Reported(run: 0, variant: 1, device: 7, kind: .engaged),
        Reported(run: 1, variant: 0, device: 2, kind: .opened), Reported(run: 1, variant: 0, device: 2, kind: .engaged),
        Reported(run: 2, variant: 0, device: 6, kind: .engaged),
    ]

    private struct World {
        let fixture: StoreFixture
        let app: AppRecord
        let campaigns: [CampaignRecord]
        let runs: [Run.ID]

        /// The campaign of the first two runs.
        var campaign: Campaign.ID { campaigns[0].id }

        static func run(_ body: (World) async throws -> Void) async throws {
            try await StoreFixture.run { fixture in
                let app = try await fixture.app()
                // Devices 1 and 6 are of one person.
                for device: Int64 in 1...10 {
                    let user = device == 6 ? 1 : device
                    try await fixture.pool.insertDevice(
                        "phone-\(device)", of: app.id, ["id": "\(device)", "user_id": "\("user-\(user)")"])
                }
                let campaigns = [try await fixture.campaign(of: app), try await fixture.campaign(of: app)]
                var runs: [Run.ID] = []
                for campaign in [campaigns[0], campaigns[0], campaigns[1]] {
                    runs.append(try await fixture.run(of: campaign, state: .finished))
                }
                let world = World(fixture: fixture, app: app, campaigns: campaigns, runs: runs)
                try await world.send()
                try await world.report()
                try await body(world)
            }
        }

        private func send() async throws {
            let first = try await fixture.batch(of: runs[0], app: app.id, outcomes: [1, 45, 10, 129, 2, 1])
            try await fixture.batch(of: runs[0], app: app.id, first: 5, outcomes: [1], deferredFrom: first)
            try await fixture.pool.execute(
                """
                INSERT INTO run_variants (app_id, run_id, variant, name, payload)
                VALUES (\(app.id), \(runs[0]), 1, 'B', '{}')
                """)
            let second = try await fixture.batch(of: runs[0], app: app.id, first: 7, outcomes: [1, 6, 3])
            try await fixture.pool.execute("UPDATE batches SET variant = 1 WHERE id = \(second)")
            try await fixture.batch(of: runs[1], app: app.id, outcomes: [1, 1, 4, 1])
            try await fixture.batch(of: runs[2], app: app.id, outcomes: Array(repeating: 1, count: 9))
        }

        private func report() async throws {
            for event in reported {
                try await fixture.pool.execute(
                    """
                    INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                    SELECT app_id, message_number, \(event.device), \(event.kind), now() FROM run_variants
                    WHERE run_id = \(runs[event.run]) AND variant = \(Int16(event.variant))
                    """)
            }
        }

        /// Searched in Swift.
        func expected(_ outcome: AudienceOutcome) -> [Int64] {
            func isMeant(_ run: Int, _ variant: Int) -> Bool {
                (run < 2 ? campaigns[0] : campaigns[1]).id == outcome.campaign
                    && (outcome.run == nil || runs[run] == outcome.run)
                    && (outcome.variant == nil || variant == outcome.variant)
            }
            let recipients = sent.filter { isMeant($0.run, $0.variant) && $0.kind == outcome.kind }.map(\.device)
            let others = reported.filter { isMeant($0.run, $0.variant) && $0.kind == outcome.without }.map(\.device)
            return Set(recipients).subtracting(others).sorted()
        }

        func found(_ condition: PostgresQuery) async throws -> [Int64] {
            try await fixture.pool.query(
                "SELECT d.id FROM devices d WHERE d.app_id = \(app.id) AND \(condition) ORDER BY 1"
            ).map { try $0[0] }
        }

        func count(_ outcome: AudienceOutcome) async throws -> AudienceCount {
            let resolved = try ResolvedAudience(Audience(include: .outcome(outcome)), segments: [:])
            return try await fixture.stores.audienceCounts.count(resolved, app: app.id)
        }

        func problems(_ outcome: AudienceOutcome) async throws -> [String] {
            try await fixture.stores.audienceChecks.problems(
                of: Audience(include: .outcome(outcome)), app: app.id
            ).map { "\($0.path): \($0.code)" }
        }
    }

    @Test func everyWayToSearchFindsTheRecipientsWithTheOutcome() async throws {
        try await World.run { world in
            var matches = 0
            for (campaign, run, variant) in [
                (0, nil, nil), (0, 0, nil), (0, 0, 0), (0, 0, 1), (0, 1, nil), (1, 2, nil), (1, 0, nil),
            ] as [(Int, Int?, Int?)] {
                for kind in AudienceOutcome.kinds {
                    for without in [nil, .engaged, .opened, .action] as [EventKind?] {
                        let outcome = AudienceOutcome(
                            kind, campaign: world.campaigns[campaign].id, run: run.map { world.runs[$0] },
                            variant: variant, without: kind == .accepted ? without : nil)
                        let expected = world.expected(outcome)
                        matches += expected.count
                        let condition = AudienceCondition.outcome(outcome)
                        for events in [AudienceCompiler.Events.perDevice, .perRange(.all)] {
                            let sql = AudienceCompiler(app: world.app.id, events: events).boolean(condition)
                            #expect(try await world.found(sql) == expected, "\(outcome)")
                        }
                        var inSteps: [Int64] = []
                        for after in stride(from: 0 as Int64, to: 12, by: 4) {
                            let ids = IDRange(after: after, through: after + 4)
                            let sql = AudienceCompiler(app: world.app.id, events: .perRange(ids)).boolean(condition)
                            inSteps += try await world.found("\(ids.contains("d.id")) AND \(sql)")
                        }
                        #expect(inSteps == expected, "\(outcome)")
                        let count = try await world.count(outcome)
                        #expect(count.matches == expected.count && count.isExact, "\(outcome)")
                    }
                }
            }
            #expect(matches > 50)
        }
    }

    /// Each event proves the delivery, so who reported any is not among those without one.
    @Test func aDeliveryIsProvenByEachEvent() async throws {
        try await World.run { world in
            let count = try await world.count(
                AudienceOutcome(.accepted, campaign: world.campaign, run: world.runs[0], without: .delivered))
            #expect(count.sample.map(\.installation) == ["phone-5", "phone-6"])
        }
    }

    @Test func aPersonsSecondDeviceIsOneOfItsOwnAndErasedPeopleAreNotFound() async throws {
        try await World.run { world in
            let ignored = AudienceOutcome(.accepted, campaign: world.campaign, run: world.runs[0], without: .engaged)
            // Phone 1 of the same person has opened the push.
            #expect(try await world.count(ignored).sample.map(\.installation) == ["phone-4", "phone-5", "phone-6"])
            _ = try await world.fixture.stores.people.erase("user-1", app: world.app.id)
            #expect(try await world.count(ignored).sample.map(\.installation) == ["phone-4", "phone-5"])
        }
    }

    @Test func eventsAreLimitedToARunAndAVariant() async throws {
        try await World.run { world in
            let (campaign, runs) = (world.campaign, world.runs)
            let cases: [(AudienceEvent, [Int64])] = [
                (AudienceEvent(.engaged, campaign: campaign), [1, 2, 7]),
                (AudienceEvent(.engaged, campaign: campaign, run: runs[0]), [1, 7]),
                (AudienceEvent(.engaged, campaign: campaign, run: runs[0], variant: 1), [7]),
                (AudienceEvent(.opened, campaign: campaign, run: runs[1]), [2]),
                (AudienceEvent(.engaged, campaign: campaign, run: runs[2]), []),
            ]
            for (event, expected) in cases {
                for events in [AudienceCompiler.Events.perDevice, .perRange(.all)] {
                    let sql = AudienceCompiler(app: world.app.id, events: events).boolean(.event(event))
                    let found = try await world.found(sql)
                    #expect(found == expected, "\(event)")
                }
            }
        }
    }

    @Test func aRunToThoseWhoDidNotEngageIsPlanned() async throws {
        try await World.run { world in
            let follow = try await world.fixture.run(of: world.campaigns[1])
            let audience = Audience(
                include: .outcome(
                    AudienceOutcome(.accepted, campaign: world.campaign, run: world.runs[0], without: .engaged)))
            try await world.fixture.pool.execute(
                """
                UPDATE runs SET audience = \(JSONText(audience.json.encoded())) WHERE id = \(follow)
                """)
            let rules = try #require(try await world.fixture.stores.planRules.rules(of: world.fixture.key(follow)))
            let plans = world.fixture.stores.plans(owner: ProcessID())
            while case .planned = try await plans.step(follow, by: rules, size: 2, lease: .seconds(60), to: .simulator)
            {}
            let recipients = try await world.fixture.pool.query(
                "SELECT unnest(recipients) FROM batches WHERE run_id = \(follow) ORDER BY 1")
            #expect(try recipients.map { try $0[0, as: Int64.self] } == [4, 5, 6])
        }
    }

    @Test func unknownRunsAndDeletedListsAreRefused() async throws {
        try await World.run { world in
            func outcome(_ run: Run.ID, variant: Int? = nil) -> AudienceOutcome {
                AudienceOutcome(.accepted, campaign: world.campaign, run: run, variant: variant, without: .engaged)
            }
            #expect(try await world.problems(outcome(world.runs[0], variant: 1)) == [])
            #expect(
                try await world.problems(outcome(world.runs[0], variant: 2)) == [
                    "include.variant: unknown-variant"
                ])
            #expect(try await world.problems(outcome(world.runs[2])) == ["include.run: unknown-run"])
            #expect(try await world.problems(outcome(Run.ID(rawValue: 999))) == ["include.run: unknown-run"])

            try await world.fixture.pool.execute("UPDATE apps SET event_days = 100")
            try await world.fixture.pool.execute("UPDATE runs SET started_at = now() - interval '101 days'")
            #expect(
                try await world.problems(outcome(world.runs[0])) == ["include.without: acknowledgements-deleted"])
            // Nobody is known to have reported nothing.
            #expect(try await world.count(outcome(world.runs[0])).matches == 0)
            try await world.fixture.pool.execute(
                "UPDATE runs SET recipients_deleted_at = now() WHERE id = \(world.runs[0])")
            #expect(
                try await world.problems(outcome(world.runs[0])) == [
                    "include.outcome: recipients-deleted", "include.without: acknowledgements-deleted",
                ])
        }
    }
}
