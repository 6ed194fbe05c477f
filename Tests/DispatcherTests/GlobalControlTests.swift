import Application
import Campaigns
import Experiments
import Foundation
import JSON
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// People who get no campaigns for a while, so that the effect of all of them can be seen.
    @Suite struct GlobalControlTests {
        private static let control = GlobalControl(share: 200, days: 90, eventName: "purchase")

        private static func set(_ bench: DispatcherFixture, _ control: GlobalControl?) async throws {
            let app = try await bench.stores.apps.find(bench.app)
            var settings = app.settings
            settings.globalControl = control
            _ = try await bench.stores.apps.update(app.id, version: app.version, to: settings)
        }

        /// Numbers of devices that chance puts into the group; the user of a device is `u` and its number.
        private static func drawn(
            _ bench: DispatcherFixture, _ numbers: ClosedRange<Int>, _ period: HoldoutPeriod
        ) async throws -> Set<Int> {
            let salt: Int64 = try await bench.pool.query("SELECT control_salt FROM apps WHERE id = \(bench.app)")[0][0]
            return Set(numbers.filter { period.contains(UnitPoint(unit: "uu\($0)", salt: salt)[.group]) })
        }

        private static func held(_ bench: DispatcherFixture, _ run: Run.ID? = nil) async throws -> Set<Int> {
            Set(try await bench.deliveries(of: run).filter { $0.value.reason == "global control group" }.keys)
        }

        private static func periods(_ bench: DispatcherFixture) async throws -> [ControlPeriodRecord] {
            try await bench.stores.controlPeriods.list(app: bench.app, before: nil, limit: 10)
        }

        private static func count(_ bench: DispatcherFixture) async throws {
            try await bench.pool.execute("UPDATE control_periods SET count_next_at = now() WHERE ends_at > now()")
            _ = try await bench.stores.controlPeriods.countStep()
        }

        private static func buy(_ bench: DispatcherFixture, _ numbers: some Sequence<Int>) async throws {
            let events = numbers.enumerated().map { index, number in
                CustomEvent(index: index, id: UUID(), sender: .user("u\(number)"), name: "purchase", time: .receipt)
            }
            _ = try await bench.stores.customEvents.store([CustomEventRequest(app: bench.app, events: events)])
        }

        @Test func itsPeopleGetNoCampaignAndTheOthersDo() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500, columns: ["user_id": "'u' || n"])
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE installation::bigint <= 100")
                try await Self.set(bench, Self.control)
                let expected = try await Self.drawn(bench, 101...500, HoldoutPeriod(from: 0, share: 200))
                let campaign = try await bench.campaign()
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                let forecast = try await bench.forecasts.forecast(record).forecast
                try await bench.work()

                // Whoever gets nothing for another reason is not held back.
                #expect(!expected.isEmpty && expected.count < 200)
                #expect(try await Self.held(bench) == expected)
                #expect(expected.allSatisfy { bench.requests($0) == 0 })
                let run = try await bench.run(of: campaign)
                #expect(run.verifiedAt != nil && run.ledger[.accepted] == 400 - expected.count)
                #expect(forecast.suppressed.contains(Forecast.Reason("global control group", expected.count)))
            }
        }

        @Test func whatMustReachEverybodyReachesThemAndIsNotMeasured() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100, columns: ["user_id": "'u' || n"])
                try await Self.set(bench, Self.control)
                let campaign = try await bench.campaign { $0.ignoresGlobalControl = true }
                try await bench.work()
                #expect(try await bench.run(of: campaign).ledger[.accepted] == 100)
                let periods = try await bench.pool.query("SELECT FROM runs WHERE control_period IS NULL")
                #expect(periods.count == 1)
            }
        }

        /// The group of a campaign is drawn from the others.
        @Test func controlGroupOfACampaignComesAfterIt() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400, columns: ["user_id": "'u' || n"])
                try await Self.set(bench, Self.control)
                let all = try await Self.drawn(bench, 1...400, HoldoutPeriod(from: 0, share: 200))
                let campaign = try await bench.campaign {
                    $0.goal = .event("purchase")
                    $0.controlShare = 500
                }
                try await bench.work()
                #expect(try await Self.held(bench) == all)
                try await bench.pool.execute("UPDATE effect_counts SET count_next_at = now()")
                _ = try await bench.stores.effectCounts.countStep()
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                let counts = try #require(try await bench.stores.effectCounts.counts(of: record))
                #expect(counts.treated + counts.control == 400 - all.count)
            }
        }

        @Test func effectOfAllCampaignsIsCountedByPersonFromTheEighthDay() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400, columns: ["user_id": "'u' || n"])
                try await Self.set(bench, Self.control)
                let control = try await Self.drawn(bench, 1...400, HoldoutPeriod(from: 0, share: 200))
                let treated = Set(1...400).subtracting(control)
                _ = try await bench.campaign()
                try await bench.work()
                try await Self.count(bench)
                let washout = try #require(try await Self.periods(bench).first)
                #expect(washout.countedAt != nil && washout.counts.treated == 0 && washout.counts.control == 0)

                try await bench.pool.execute("UPDATE control_periods SET starts_at = starts_at - interval '8 days'")
                // Two campaigns, and each person counts once. A control group of one counts as treated.
                _ = try await bench.campaign {
                    $0.goal = .event("purchase")
                    $0.controlShare = 500
                }
                try await bench.work(runs: 2)
                try await Self.buy(bench, treated.sorted().prefix(60) + control.sorted().prefix(5))
                try await Self.count(bench)
                let counted = try #require(try await Self.periods(bench).first).counts
                #expect(counted.treated == treated.count && counted.control == control.count)
                #expect(counted.treatedConverted == 60 && counted.controlConverted == 5)
                #expect(EffectReport(counted, share: 200).budget == .live)
            }
        }

        @Test func afterAPeriodItIsTheTurnOfOthers() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...300, columns: ["user_id": "'u' || n"])
                try await Self.set(bench, Self.control)
                try await bench.pool.execute(
                    "UPDATE control_periods SET starts_at = now() - interval '90 days', ends_at = now()")
                // Until the next one begins, all are sent to.
                #expect(try await bench.stores.controlPeriods.holdout(of: bench.app) == nil)
                _ = try await bench.stores.controlPeriods.countStep()
                #expect(try await Self.periods(bench).count == 2)
                _ = try await bench.campaign()
                try await bench.work()
                let next = try await Self.drawn(bench, 1...300, HoldoutPeriod(from: 200, share: 200))
                #expect(try await Self.held(bench) == next)
                #expect(try await Self.drawn(bench, 1...300, HoldoutPeriod(from: 0, share: 200)).isDisjoint(with: next))
            }
        }

        @Test func anotherShareBeginsAPeriodAndNoneEndsIt() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.set(bench, Self.control)
                try await Self.set(bench, GlobalControl(share: 50, days: 30, eventName: "purchase"))
                let periods = try await Self.periods(bench)
                #expect(periods.map(\.share) == [50, 200] && periods[1].endsAt <= .now)
                #expect(periods[0].endsAt - periods[0].startsAt == .seconds(30 * 86_400))
                let digits = try await bench.pool.query("SELECT first_digit FROM control_periods ORDER BY id")
                #expect(try digits.map { try $0[0, as: Int.self] } == [0, 200])
                // The same settings again change nothing.
                try await Self.set(bench, GlobalControl(share: 50, days: 30, eventName: "purchase"))
                #expect(try await Self.periods(bench).count == 2)
                try await Self.set(bench, nil)
                #expect(try await bench.stores.controlPeriods.holdout(of: bench.app) == nil)
                _ = try await bench.stores.controlPeriods.countStep()
                #expect(try await Self.periods(bench).count == 2)
            }
        }

        @Test func lastCountOfAPeriodStays() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.set(bench, Self.control)
                try await Self.set(bench, nil)
                try await bench.pool.execute(
                    """
                    UPDATE control_periods
                    SET starts_at = now() - interval '50 days', ends_at = now() - interval '3 days', count_next_at = now()
                    """)
                #expect(try await bench.stores.controlPeriods.countStep() == 1)
                #expect(try await Self.periods(bench).first?.counts.isFinal == true)
                #expect(try await bench.stores.controlPeriods.countStep() == 0)
            }
        }
    }
}
