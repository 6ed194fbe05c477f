import TestSupport
import Testing

@testable import Campaigns

@Suite struct ForecastTests {
    private func rates(_ campaign: Int?, _ app: Int? = nil, unlimited: Int = 100_000) -> ForecastRates {
        ForecastRates(campaign: campaign, app: app, unlimited: unlimited)
    }

    @Test func theSlowestRateCounts() {
        for rates in [rates(10), rates(20, 10), rates(nil, 10), rates(nil, unlimited: 10), rates(10, 20)] {
            let forecast = Forecast(groups: [.init(dueAt: 1_000, count: 95)], rates: rates)
            #expect(forecast.rate == 10)
            #expect(forecast.timeline == [.init(from: 1_000, to: 1_010, count: 95)])
        }
    }

    @Test func groupsThatMeetAreOneStep() {
        let forecast = Forecast(
            groups: [.init(dueAt: 2_000, count: 50), .init(dueAt: 1_000, count: 100), .init(dueAt: 1_005, count: 10)],
            rates: rates(10))
        #expect(
            forecast.timeline == [.init(from: 1_000, to: 1_011, count: 110), .init(from: 2_000, to: 2_005, count: 50)])
        #expect(forecast.startsAt == 1_000)
        #expect(forecast.endsAt == 2_005)
        #expect(forecast.sent == 160)
    }

    @Test func expiredRecipientsAreCounted() {
        let forecast = Forecast(
            groups: [
                .init(dueAt: 1_000, count: 100, expiresAt: 1_004), .init(dueAt: 1_001, count: 20, expiresAt: 1_002),
                .init(dueAt: 1_001, count: 20, expiresAt: 1_020),
            ], rates: rates(10))
        #expect(forecast.timeline == [.init(from: 1_000, to: 1_006, count: 60)])
        #expect(forecast.expired == 80)
        #expect(forecast.sent == 60)
    }

    @Test func emptyForecastIsValid() {
        let forecast = Forecast(
            groups: [], rates: rates(10), held: [.init("quiet_hours", 0)], suppressed: [.init("frequency_cap", 3)])
        #expect(forecast.startsAt == nil)
        #expect(forecast.endsAt == nil)
        #expect(forecast.held == [])
        #expect(forecast.suppressed == [.init("frequency_cap", 3)])
    }

    @Test func extremeNumbersAreHandled() {
        let forecast = Forecast(
            groups: [
                .init(dueAt: 0, count: .max), .init(dueAt: 253_402_300_799, count: -5),
                .init(dueAt: 253_402_300_799, count: 5, expiresAt: 0),
            ], rates: rates(0, -1, unlimited: .max))
        #expect(forecast.rate == 1)
        #expect(forecast.expired == 5)
    }

    @Test func recipientsNotServedBeforeQuietHoursAreReevaluated() {
        let group = Forecast.Group(dueAt: 1_000, count: 100, expiresAt: 9_000, notAfter: 1_060, index: 3)
        func forecast(_ judged: ZoneTiming) -> Forecast {
            Forecast(
                groups: [group, .init(dueAt: 1_070, count: 10)], rates: rates(1), held: [.init("quiet_hours", 7)],
                suppressed: [.init("frequency cap", 2)]
            ) { place, moment in
                #expect(place == 3 && moment == 1_060)
                return judged
            }
        }
        let held = forecast(ZoneTiming(dueAt: 5_000, notAfter: 8_000, verdict: .held(.quietHours)))
        #expect(
            held.timeline == [
                .init(from: 1_000, to: 1_060, count: 60), .init(from: 1_070, to: 1_080, count: 10),
                .init(from: 5_000, to: 5_040, count: 40),
            ])
        #expect(held.sent == 110 && held.held == [.init("quiet_hours", 47)])
        let skipped = forecast(ZoneTiming(dueAt: 1_060, verdict: .suppressed(.quietHours)))
        #expect(skipped.sent == 70)
        #expect(skipped.suppressed == [.init("frequency cap", 2), .init("quiet hours", 40)])
        let expired = forecast(ZoneTiming(dueAt: 9_001, verdict: .held(.nextDay)))
        #expect(expired.sent == 70 && expired.expired == 40)
    }

    /// A judge that puts everybody off for ever meets the run's end.
    @Test func reevaluationEnds() {
        let forecast = Forecast(
            groups: [.init(dueAt: 0, count: 1_000, expiresAt: 2_000, notAfter: 10)], rates: rates(1)
        ) { ZoneTiming(dueAt: $1, notAfter: $1 + 1, verdict: .held(.quietHours)) }
        #expect(forecast.sent + forecast.expired == 1_000)
        #expect(forecast.held == [.init("quiet_hours", 990)])
    }

    /// Sends one push after the other.
    @Test func forecastsMatchPushByPushSimulation() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<300 {
            let rate = Int.random(in: 1...9, using: &generator)
            let groups = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                let due = Int.random(in: 0...60, using: &generator)
                return Forecast.Group(
                    dueAt: due, count: .random(in: 0...150, using: &generator),
                    expiresAt: Bool.random(using: &generator) ? due + .random(in: 0...40, using: &generator) : nil)
            }
            var waiting = groups.sorted { $0.dueAt < $1.dueAt }
            var sent: [Int] = []
            var slot = 0
            while waiting.contains(where: { $0.count > 0 }) {
                let place = waiting.firstIndex {
                    $0.count > 0 && $0.dueAt * rate <= slot && $0.expiresAt.map { slot < $0 * rate } ?? true
                }
                if let place {
                    waiting[place].count -= 1
                    sent.append(slot)
                } else if waiting.allSatisfy({ $0.count == 0 || $0.expiresAt.map { slot >= $0 * rate } ?? false }) {
                    break
                }
                slot += 1
            }

            let forecast = Forecast(groups: groups, rates: rates(rate))

            #expect(forecast.sent == sent.count)
            #expect(forecast.expired == waiting.reduce(0) { $0 + $1.count })
            #expect(forecast.startsAt == sent.first.map { $0 / rate })
            #expect(forecast.endsAt == sent.last.map { $0 / rate + 1 })
            #expect(forecast.timeline.reduce(0) { $0 + $1.count } == sent.count)
            for second in 0..<slot / rate + 1 {
                let count = sent.count { $0 / rate == second }
                let steps = forecast.timeline.filter { $0.from <= second && second < $0.to }
                #expect(count == 0 || !steps.isEmpty)
                // In the middle of a step nothing is left unused.
                if steps.contains(where: { $0.from < second && second + 1 < $0.to }) { #expect(count == rate) }
            }
        }
    }
}
