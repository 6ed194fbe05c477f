import Testing

@testable import EventLoop

struct AddressRaceTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static func addresses(_ ips: String...) -> [SocketAddress] {
        ips.compactMap { SocketAddress(ip: $0, port: 443) }
    }

    private func race(of count: Int) -> AddressRace {
        AddressRace(inOrder: (0..<count).compactMap { SocketAddress(ip: "192.0.2.\($0)", port: 443) })
    }

    private func after(_ milliseconds: Int) -> MonotonicTime { start + .milliseconds(milliseconds) }

    // MARK: The order

    @Test func familiesTakeTurnsAndTheResolversFirstBegins() {
        let six = ["2001:db8::1", "2001:db8::2", "2001:db8::3"]
        let four = ["192.0.2.1", "192.0.2.2"]
        let found = (six + four).compactMap { SocketAddress(ip: $0, port: 443) }
        for _ in 0..<20 {
            let order = AddressRace(found).addresses.map(\.host)
            #expect(order.map { $0.contains(":") } == [true, false, true, false, true])
            #expect(order.sorted() == (six + four).sorted())
            let reversed = AddressRace(found.reversed()).addresses.map(\.host)
            #expect(reversed.map { $0.contains(":") } == [false, true, false, true, true])
        }
    }

    /// Connections spread over all addresses: each begins a race sometimes.
    @Test func orderWithinAFamilyIsRandom() {
        let found = Self.addresses("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
        let firsts = Set((0..<1_000).map { _ in AddressRace(found).addresses[0].host })
        #expect(firsts.count == 4)
    }

    // MARK: The start of attempts

    @Test func nextAttemptStartsAQuarterOfASecondAfterThePrevious() {
        var race = race(of: 3)
        #expect(race.next(at: start) == .start(0))
        #expect(race.next(at: start) == .wait(until: after(250)))
        #expect(race.next(at: after(249)) == .wait(until: after(250)))
        #expect(race.next(at: after(251)) == .start(1))
        #expect(race.next(at: after(251)) == .wait(until: after(501)))
        #expect(race.next(at: after(501)) == .start(2))
        #expect(race.next(at: after(501)) == .wait(until: nil))
        #expect(race.next(at: after(9_999)) == .wait(until: nil))
    }

    @Test func nextAttemptStartsImmediatelyWhenThePreviousFailed() {
        var race = race(of: 2)
        #expect(race.next(at: start) == .start(0))
        race.failed(0)
        #expect(race.next(at: after(1)) == .start(1))
        race.failed(1)
        #expect(race.next(at: after(2)) == .end)
    }

    @Test func failureOfAnEarlierAttemptDoesNotHurryTheNext() {
        var race = race(of: 3)
        #expect(race.next(at: start) == .start(0))
        #expect(race.next(at: after(250)) == .start(1))
        race.failed(0)
        #expect(race.next(at: after(300)) == .wait(until: after(500)))
        race.failed(1)
        #expect(race.next(at: after(301)) == .start(2))
    }

    @Test func raceEndsWhenTheLastAttemptHasFailed() {
        var race = race(of: 2)
        #expect(race.next(at: start) == .start(0))
        #expect(race.next(at: after(250)) == .start(1))
        race.failed(1)
        #expect(race.next(at: after(300)) == .wait(until: nil))
        race.failed(0)
        #expect(race.next(at: after(301)) == .end)
    }

    @Test func hostWithoutAddressesHasNoRace() {
        var race = race(of: 0)
        #expect(race.next(at: start) == .end)
    }

    // MARK: A winner that does not work

    @Test func raceGoesOnWithTheSlowAddressesLast() {
        var race = race(of: 4)
        #expect(race.next(at: start) == .start(0))
        #expect(race.next(at: after(250)) == .start(1))
        race.connected(1)
        // Its TLS handshake fails.
        race.failed(1)
        #expect(race.next(at: after(300)) == .start(2))
        race.failed(2)
        #expect(race.next(at: after(301)) == .start(3))
        race.failed(3)
        #expect(race.next(at: after(302)) == .start(0))
        race.failed(0)
        #expect(race.next(at: after(303)) == .end)
    }
}
