import BelfryCore
import Foundation
import Testing

struct InfluencedOpensTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func openingFromTheIconCountsEachShownPushOnce() {
        var opens = InfluencedOpens()
        opens.activated()
        let shown = [InfluencedOpens.Shown(messageID: "a", arrivedAt: now), .init(messageID: "a", arrivedAt: now)]
        #expect(opens.settled(shown: shown, at: now).map(\.kind) == [.influenced])
        opens.activated()
        #expect(opens.settled(shown: shown, at: now).isEmpty)
    }

    // Another kit counted one tap as opened and as influenced.
    @Test func tapIsNoInfluencedOpenNowOrLater() {
        var opens = InfluencedOpens()
        let shown = [InfluencedOpens.Shown(messageID: "a", arrivedAt: now), .init(messageID: "b", arrivedAt: now)]
        opens.activated()
        opens.tapped(messageID: "a")
        #expect(opens.settled(shown: shown, at: now).isEmpty)
        opens.activated()
        #expect(opens.settled(shown: shown, at: now).map(\.messageID) == ["b"])
    }

    @Test(arguments: [(0.0, 1), (InfluencedOpens.window, 1), (InfluencedOpens.window + 1, 0), (-1, 0)])
    func pushCountsWithinTwelveHours(age: TimeInterval, count: Int) {
        var opens = InfluencedOpens()
        let shown = [InfluencedOpens.Shown(messageID: "a", arrivedAt: now - age)]
        #expect(opens.settled(shown: shown, at: now).count == count)
    }
}
