import APNSSimulator
import Notifications
import TestSupport
import Testing

@testable import APNS
@testable import EventLoop

@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
    @Test func thousandPushesAreAcceptedOnceByTheirIDs() async throws {
        try await withFixture { fixture in
            let window = try APNSFixture.window(0..<1_000)
            guard case .done = await fixture.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 1_000)
            fixture.expectAcceptedOnce(0..<1_000)
            let counts = fixture.server.record.counts
            #expect(counts.requests == 1_000 && counts.tokens == 1_000 && counts.connects == 1)
            #expect(fixture.server.record.flags == [])
            #expect(await fixture.client.windowSize == 1_000)
        }
    }

    @Test func windowNeverLeavesItsLoop() async throws {
        try await withFixture { fixture in
            // The first opens the connection, for which names may be looked up elsewhere.
            try await fixture.sendAll(try APNSFixture.window(0..<1))
            let before = fixture.loop.crossings
            for round in 1...20 {
                let window = try APNSFixture.window(round * 100..<(round + 1) * 100)
                _ = await fixture.client.send(window)
                #expect(fixture.loop.isCurrent)
                #expect(window.acceptedCount == 100)
            }
            #expect(fixture.loop.crossings == before)
        }
    }

    @Test func severalWindowsShareAConnection() async throws {
        try await withFixture(options: { $0.maximumConnections = 1 }) { fixture in
            try await fixture.sendAtOnce((0..<8).map { $0 * 300..<($0 + 1) * 300 })

            fixture.expectAcceptedOnce(0..<2_400)
            #expect(fixture.server.record.counts.connects == 1)
        }
    }

    @Test func windowsWithoutRoomWaitForAConnectionAtItsMaximum() async throws {
        try await withFixture({ $0.streams.afterToken = 20 }, options: { $0.maximumConnections = 1 }) { fixture in
            fixture.server.faults = Faults([.init(.delay(by: .milliseconds(20)))])
            let windows = PushTag.slots + 6
            try await fixture.sendAtOnce((0..<windows).map { $0 * 4..<($0 + 1) * 4 })

            fixture.expectAcceptedOnce(0..<windows * 4)
            #expect(fixture.server.record.counts.connects == 1)
        }
    }

    @Test func connectionsGrowToTheMaximumAndNotBeyond() async throws {
        try await withFixture({ $0.streams.afterToken = 10 }, options: { $0.maximumConnections = 3 }) { fixture in
            fixture.server.faults = Faults([.init(.delay(by: .milliseconds(5)))])
            for round in 0..<3 {
                try await fixture.sendAtOnce((round * 12..<(round + 1) * 12).map { $0 * 50..<($0 + 1) * 50 })
            }

            fixture.expectAcceptedOnce(0..<1_800)
            #expect(fixture.server.record.counts.connects == 3)
            #expect(await fixture.client.connectionCount == 3)
            #expect(fixture.server.record.counts.concurrentStreams <= 10)
        }
    }

    @Test func connectionsThatEndedUnusedAreReplaced() async throws {
        try await withFixture({ $0.streams.afterToken = 10 }, options: { $0.maximumConnections = 4 }) { fixture in
            fixture.server.faults = Faults([.init(.delay(by: .milliseconds(20)))])
            while await fixture.client.connectionCount < 2 { try await fixture.sendAtOnce([0..<10, 10..<20]) }
            await fixture.server.inject(.disconnect(accepted: false))
            while fixture.server.record.counts.openConnections > 0 {
                try await fixture.loop.sleep(for: .milliseconds(5))
            }
            fixture.server.record.reset()
            try await fixture.sendAll(try APNSFixture.window(20..<25))
            for round in 1...3 {
                try await fixture.sendAtOnce((round * 12..<(round + 1) * 12).map { $0 * 50..<($0 + 1) * 50 })
            }
            #expect(await fixture.client.connectionCount == 4)
            #expect(fixture.server.record.counts.connects == 4)
        }
    }

    /// SETTINGS allow 1,000 concurrent streams here: the client's own rule holds the others back.
    @Test func onePushIsOnTheWireUntilTheFirstAnswer() async throws {
        let deadline = Duration.seconds(3)
        try await withFixture({ $0.streams.beforeToken = 1_000 }, options: { $0.requestDeadline = deadline }) {
            fixture in
            fixture.server.faults = Faults([.init(.noAnswer(accepted: false), .first(1))])
            let window = try APNSFixture.window(0..<5)
            try await fixture.sendAll(window)

            #expect(window.results[0].isUnknown)
            #expect(window.acceptedCount == 4)
            // The first alone, the second alone, and then the other three.
            #expect(fixture.server.record.counts.concurrentStreams <= 3)
        }
    }

    @Test func nothingIsSentAfterTheStartDeadline() async throws {
        try await withFixture { fixture in
            let late = try APNSFixture.window(0..<10, until: .now())
            guard case .done = await fixture.client.send(late) else { throw Unexpected() }
            #expect(fixture.server.record.counts.connects == 0)

            _ = await fixture.client.send(try APNSFixture.window(10..<12))
            _ = await fixture.client.send(late)
            #expect(late.unsentCount == 10)
            #expect(fixture.server.record.counts.requests == 2)
        }
    }

    @Test func connectionDoesNotSendALateWindow() async throws {
        try await withFixture { fixture in
            try await fixture.withConnection { connection in
                let late = try APNSFixture.window(0..<10, until: .now())
                await connection.send(late)
                #expect(late.unsentCount == 10)
            }
            #expect(fixture.server.record.counts.requests == 0)
        }
    }

    @Test func lateAnswersAreWaitedFor() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.delay(by: .milliseconds(50), jitter: .milliseconds(50)))])
            let window = try APNSFixture.window(0..<300)
            _ = await fixture.client.send(window)
            #expect(window.acceptedCount == 300)
            fixture.expectAcceptedOnce(0..<300)
        }
    }

    @Test func uniqueIDsAreRecordedOnRequestAndOnlyInDevelopment() async throws {
        try await withFixture({ $0.environment = .sandbox }) { fixture in
            let asking = try APNSFixture.window(0..<3, recordsUniqueIDs: true)
            let other = try APNSFixture.window(10..<13)
            async let sent: Void = fixture.sendAll(other)
            try await fixture.sendAll(asking)
            try await sent

            let ids = (0..<3).compactMap { asking.uniqueID($0) }
            #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == PushWindow.idLength })
            #expect((0..<3).allSatisfy { other.uniqueID($0) == nil })
            asking.reset(headers: try #require(other.headers.last))
            #expect(asking.uniqueID(0) == nil)
        }
        try await withFixture({ $0.environment = .production }) { fixture in
            let asking = try APNSFixture.window(0..<3, recordsUniqueIDs: true)
            try await fixture.sendAll(asking)
            #expect(asking.acceptedCount == 3 && asking.uniqueID(0) == nil)
        }
    }

    @Test func shutDownWaitsForWhatIsOnTheWire() async throws {
        try await withFixture { fixture in
            _ = await fixture.client.send(try APNSFixture.window(0..<1))
            fixture.server.faults = Faults([.init(.delay(by: .milliseconds(200)))])
            let window = try APNSFixture.window(1..<21)
            async let ending = fixture.client.send(window)
            await fixture.server.record.waitUntilAccepted(21)
            await fixture.client.shutDown()

            #expect(window.places(.inFlight).isEmpty)
            #expect(await fixture.client.connectionCount == 0)
            _ = await ending
            #expect(window.acceptedCount == 20)
            guard case .unavailable(.shutDown) = await fixture.client.send(try APNSFixture.window(30..<31)) else {
                throw Unexpected()
            }
        }
    }
}

/// An ending that the test did not expect.
struct Unexpected: Error {

    @Test func pushesOfOneWindowMayHaveHeadersOfTheirOwn() async throws {
        let seen = Lock<[String: String]>([:])
        try await withFixture(observe: { push in
            func value(_ name: String) -> String { push.headers.first { $0.name == name }?.value ?? "none" }
            seen.withLock { $0[value("apns-id")] = value("apns-collapse-id") + " " + value("apns-priority") }
        }) { fixture in
            func headers(_ collapseID: String?, _ priority: Priority) throws -> PushHeaders {
                PushHeaders(
                    bundleID: try BundleID(APNSFixture.bundleID), pushType: .alert, priority: priority, expiration: 0,
                    collapseID: try collapseID.map { try CollapseID($0) })
            }
            let window = PushWindow()
            let one = try headers("one", .immediate)
            window.reset(headers: one)
            window.append(0)
            window.append(1)
            window.setHeaders(try headers(nil, .powerAware))
            window.append(2)
            window.setHeaders(one)
            window.append(3)
            window.allow(until: .now() + .seconds(30) * TestTimeouts.factor)
            try await fixture.sendAll(window)
            #expect(window.acceptedCount == 4)
        }
        let expected = ["one 10", "one 10", "none 5", "one 10"].enumerated().map { (APNSFixture.id($0), $1) }
        #expect(seen.withLock { $0 } == Dictionary(uniqueKeysWithValues: expected))
    }
}
