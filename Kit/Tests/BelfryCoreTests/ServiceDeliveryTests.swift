import Testing

@testable import BelfryCore

struct ServiceDeliveryTests {
    @Test func notificationWaitsForAllPartsAndIsDeliveredOnce() {
        var delivery = ServiceDelivery(waitingFor: [.preparation, .buttons, .attachment])
        #expect(delivery.ended(.attachment) == .wait)
        #expect(delivery.ended(.buttons) == .wait)
        #expect(delivery.ended(.preparation) == .deliver)
        #expect(delivery.ended(.preparation) == .nothing)
        #expect(delivery.timeEnds() == .nothing)
    }

    @Test func timeThatEndsDeliversOnceWhateverEndsLater() {
        var delivery = ServiceDelivery(waitingFor: [.preparation, .attachment])
        #expect(delivery.ended(.preparation) == .wait)
        #expect(delivery.timeEnds() == .deliver)
        #expect(delivery.timeEnds() == .nothing)
        #expect(delivery.ended(.attachment) == .nothing)
    }

    @Test func partThatEndsTwiceDoesNotCountForAnother() {
        var delivery = ServiceDelivery(waitingFor: [.preparation, .attachment])
        #expect(delivery.ended(.attachment) == .wait)
        #expect(delivery.ended(.attachment) == .wait)
    }

    @Test func downloadLeavesTimeToHandOver() {
        let time = ServiceTime(startingAt: 100)
        #expect(time.left(at: 100) == 25)
        #expect(time.left(at: 110) == 15)
        #expect(time.left(at: 90) == 25)
        #expect(time.left(at: 1_000) == 1)
    }
}
