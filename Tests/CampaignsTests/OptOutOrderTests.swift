import Campaigns
import Testing

/// Statements about opt-outs that arrive late.
struct OptOutOrderTests {
    private static func time(_ second: Int64) -> Instant { Instant(microseconds: second * 1_000_000) }

    @Test func lateOptOutCountsUnlessItsTopicWasConsentedToSince() {
        var order = OptOutOrder()
        order.state(.edit(add: ["a"], remove: ["b"]), at: Self.time(5))
        #expect(order.late(.edit(add: ["b", "c"], remove: ["a"]), at: Self.time(4)) == .edit(add: ["c"], remove: []))
        #expect(order.late(.replace(["b"]), at: Self.time(4)) == .keep)
        // Opted out again: nothing newer consents.
        order.state(.edit(add: ["b"], remove: []), at: Self.time(6))
        #expect(order.late(.edit(add: ["b"], remove: []), at: Self.time(4)) == .edit(add: ["b"], remove: []))
    }

    @Test func listIsTheWholeConsent() {
        var order = OptOutOrder()
        order.state(.replace(["a"]), at: Self.time(5))
        #expect(order.late(.edit(add: ["b"], remove: []), at: Self.time(4)) == .keep)
        #expect(order.late(.edit(add: ["b"], remove: ["a"]), at: Self.time(6)) == .edit(add: ["b"], remove: []))
    }

    @Test func withoutAnOrderOnlyAdditionsCount() {
        #expect(OptOutOrder().late(.replace(["a"]), at: Self.time(1)) == .edit(add: ["a"], remove: []))
        #expect(OptOutOrder().late(.edit(add: [], remove: ["a"]), at: Self.time(1)) == .keep)
    }
}
