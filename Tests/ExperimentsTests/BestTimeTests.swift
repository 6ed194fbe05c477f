import Testing

@testable import Experiments

struct BestTimeTests {
    /// Of the pushes due at any hour, 3 % are opened in that hour and 2 % in the next.
    private static var response: HourlyResponse {
        var response = HourlyResponse()
        for hour in 0..<24 {
            response.add(950, due: hour, opened: nil)
            response.add(30, due: hour, opened: hour)
            response.add(20, due: hour, opened: (hour + 1) % 24)
        }
        return response
    }

    private static func person(sent: [Int: Float], opened: [Int: Float]) -> PersonalResponse {
        var person = PersonalResponse()
        for (hour, count) in sent { person.sent[hour] = count }
        for (hour, count) in opened { person.opened[hour] = count }
        return person
    }

    private static func isNear(_ a: Float, _ b: Float) -> Bool { abs(a - b) < 2e-6 }

    /// Reference values, which an independent program computed.
    @Test func ratiosAndScoresAreThoseOfTheMethod() {
        let rates = Self.response.rates
        let person = Self.person(sent: [12: 20, 20: 10], opened: [20: 2, 21: 1])

        #expect(Self.isNear(person.level(person.expected(at: rates)), 1.6))
        let ratios = person.ratios(at: rates, caution: 2)
        #expect(Self.isNear(ratios[12], 0.757576))
        #expect(Self.isNear(ratios[20], 1.400862))
        #expect(Self.isNear((rates[20] * ratios).sum(), 0.068342))
        #expect(BestTime(Self.response, caution: 2, hours: Array(8..<21)).place(for: person) == 12)
    }

    /// Who gets pushes at noon opens most at noon, which says nothing about noon.
    @Test func openingAsOftenAsOthersSaysNothingAboutAnHour() {
        let person = Self.person(sent: [12: 100], opened: [12: 3, 13: 2])
        let ratios = person.ratios(at: Self.response.rates, caution: 1)
        #expect((0..<24).allSatisfy { abs(ratios[$0] - 1) < 0.02 })
    }

    @Test func withoutAPastThePushIsDueInTheMiddleOfTheWindow() {
        let time = BestTime(HourlyResponse(), caution: .infinity, hours: Array(8..<21))
        #expect(time.usual == 6)
        #expect(time.place(for: PersonalResponse()) == 6)
    }

    @Test func usualHourIsTheBestOfTheWindowAndHoldsForThoseWithoutAPast() {
        var response = Self.response
        response.add(1_000, due: 19, opened: 19)
        response.add(9_000, due: 7, opened: 7)
        let time = BestTime(response, caution: 2, hours: Array(8..<21))
        #expect(time.hours[time.usual] == 19)
        #expect(time.place(for: PersonalResponse()) == time.usual)
    }

    @Test func withoutEvidenceThatPeopleDifferAllGetTheUsualHour() {
        let caution = CautionEvidence().caution
        #expect(caution == .infinity)
        let time = BestTime(Self.response, caution: caution, hours: Array(8..<21))
        #expect(time.place(for: Self.person(sent: [12: 20, 20: 10], opened: [20: 9])) == time.usual)
    }

    @Test func hourWithFewPushesRespondsAsOthersDo() {
        var response = HourlyResponse()
        response.add(900, due: 9, opened: nil)
        response.add(100, due: 9, opened: 10)
        response.add(100, due: 22, opened: nil)
        let rates = response.rates
        #expect(Self.isNear(rates[9][10], 0.1))
        // The mean of all, an hour after the push, also over midnight.
        #expect(Self.isNear(rates[22][23], 100 / 1_100))
        #expect(Self.isNear(rates[23][0], 100 / 1_100))
    }

    @Test func evidenceFindsWhetherPeopleDiffer() {
        let rates = Self.response.rates
        let sent: [Int: Float] = [12: 35, 20: 35]
        // Each opens half of the pushes at one hour, and none at the other.
        var different = CautionEvidence()
        for hour in [12, 20] {
            let person = Self.person(sent: sent, opened: [hour: 18])
            different.add(person, before: person, rates: rates)
        }
        #expect(different.caution == 1)
        // All open as often as expected, and what they did before was chance.
        var alike = CautionEvidence()
        for hour in [12, 20] {
            let before = Self.person(sent: sent, opened: [hour: 4])
            let after = Self.person(sent: sent, opened: [12: 1.05, 13: 0.7, 20: 1.05, 21: 0.7])
            alike.add(after, before: before, rates: rates)
        }
        #expect(alike.caution == .infinity)
    }

    @Test func pastCountsHalfAfterItsHalfLife() {
        #expect(HalfLife.factor(60, days: 60) == 0.5)
        #expect(HalfLife.factor(60, days: 0) == 1)
    }

    @Test func groupsOfTimesHaveTheSharesOfAVariantMap() throws {
        let map = try VariantMap(weights: TimeGroup.weights)
        #expect(map.weights == [900, 50, 50] && TimeGroup.allCases.count == 3)
    }
}
