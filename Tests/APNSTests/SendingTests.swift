import APNSSimulator
import Notifications
import TestSupport
import Testing

@testable import APNS
@testable import EventLoop

@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
    @Test func thousandPushesAreAcceptedOnceByTheirIDs() async throws {
        try await withStand { stand in
            let window = try Stand.window(0..<1_000)
            guard case .done = await stand.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 1_000)
            stand.expectAcceptedOnce(0..<1_000)
            let counts = stand.server.record.counts
            #expect(counts.requests == 1_000 && counts.tokens == 1_000 && counts.connects == 1)
            #expect(stand.server.record.flags == [])
            #expect(await stand.client.windowSize == 1_000)
        }
    }

    @Test func windowNeverLeavesItsLoop() async throws {
        try await withStand { stand in
            // The first opens the connection, for which names may be looked up elsewhere.
            try await stand.sendAll(try Stand.window(0..<1))
            let before = stand.loop.crossings
            for round in 1...20 {
                let window = try Stand.window(round * 100..<(round + 1) * 100)
                _ = await stand.client.send(window)
                #expect(stand.loop.isCurrent)
                #expect(window.acceptedCount == 100)
            }
            #expect(stand.loop.crossings == before)
        }
    }

    @Test func severalWindowsShareAConnection() async throws {
        try await withStand(options: { $0.maximumConnections = 1 }) { stand in
            try await stand.sendAtOnce((0..<8).map { $0 * 300..<($0 + 1) * 300 })

            stand.expectAcceptedOnce(0..<2_400)
            #expect(stand.server.record.counts.connects == 1)
        }
    }

    @Test func windowsWithoutRoomWaitForAConnectionAtItsMaximum() async throws {
        try await withStand({ $0.streams.afterToken = 20 }, options: { $0.maximumConnections = 1 }) { stand in
            stand.server.faults = Faults([.init(.delay(by: .milliseconds(20)))])
            let windows = PushTag.slots + 6
            try await stand.sendAtOnce((0..<windows).map { $0 * 4..<($0 + 1) * 4 })

            stand.expectAcceptedOnce(0..<windows * 4)
            #expect(stand.server.record.counts.connects == 1)
        }
    }

    @Test func connectionsGrowToTheMaximumAndNotBeyond() async throws {
        try await withStand({ $0.streams.afterToken = 10 }, options: { $0.maximumConnections = 3 }) { stand in
            stand.server.faults = Faults([.init(.delay(by: .milliseconds(5)))])
            for round in 0..<3 {
                try await stand.sendAtOnce((round * 12..<(round + 1) * 12).map { $0 * 50..<($0 + 1) * 50 })
            }

            stand.expectAcceptedOnce(0..<1_800)
            #expect(stand.server.record.counts.connects == 3)
            #expect(await stand.client.connectionCount == 3)
            #expect(stand.server.record.counts.concurrentStreams <= 10)
        }
    }

    @Test func connectionsThatEndedUnusedLeaveTheirPlacesToOthers() async throws {
        try await withStand({ $0.streams.afterToken = 10 }, options: { $0.maximumConnections = 4 }) { stand in
            stand.server.faults = Faults([.init(.delay(by: .milliseconds(20)))])
            while await stand.client.connectionCount < 2 { try await stand.sendAtOnce([0..<10, 10..<20]) }
            await stand.server.inject(.disconnect(accepted: false))
            while stand.server.record.counts.openConnections > 0 { try await stand.loop.sleep(for: .milliseconds(5)) }
            stand.server.record.reset()
            try await stand.sendAll(try Stand.window(20..<25))
            for round in 1...3 {
                try await stand.sendAtOnce((round * 12..<(round + 1) * 12).map { $0 * 50..<($0 + 1) * 50 })
            }
            #expect(await stand.client.connectionCount == 4)
            #expect(stand.server.record.counts.connects == 4)
        }
    }

    /// SETTINGS allow 1,000 at once here: it is our own rule that keeps the others back.
    @Test func onePushIsOnTheWireUntilTheFirstAnswer() async throws {
        let deadline = Duration.seconds(3)
        try await withStand({ $0.streams.beforeToken = 1_000 }, options: { $0.requestDeadline = deadline }) { stand in
            stand.server.faults = Faults([.init(.noAnswer(accepted: false), .first(1))])
            let window = try Stand.window(0..<5)
            try await stand.sendAll(window)

            #expect(window.results[0].isUnknown)
            #expect(window.acceptedCount == 4)
            // The first alone, the second alone, and then the other three.
            #expect(stand.server.record.counts.concurrentStreams <= 3)
        }
    }

    @Test func nothingTouchesTheWireWhenItsTimeIsOver() async throws {
        try await withStand { stand in
            let late = try Stand.window(0..<10, until: .now())
            guard case .done = await stand.client.send(late) else { throw Unexpected() }
            #expect(stand.server.record.counts.connects == 0)

            _ = await stand.client.send(try Stand.window(10..<12))
            _ = await stand.client.send(late)
            #expect(late.unsentCount == 10)
            #expect(stand.server.record.counts.requests == 2)
        }
    }

    @Test func connectionItselfKeepsALateWindowBack() async throws {
        try await withStand { stand in
            try await stand.withConnection { connection in
                let late = try Stand.window(0..<10, until: .now())
                await connection.send(late)
                #expect(late.unsentCount == 10)
            }
            #expect(stand.server.record.counts.requests == 0)
        }
    }

    @Test func lateAnswersAreWaitedFor() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.delay(by: .milliseconds(50), jitter: .milliseconds(50)))])
            let window = try Stand.window(0..<300)
            _ = await stand.client.send(window)
            #expect(window.acceptedCount == 300)
            stand.expectAcceptedOnce(0..<300)
        }
    }

    @Test func uniqueIDsAreKeptForWhoAsksAndOnlyInDevelopment() async throws {
        try await withStand({ $0.environment = .sandbox }) { stand in
            let asking = try Stand.window(0..<3, keepsUniqueIDs: true)
            let other = try Stand.window(10..<13)
            async let sent: Void = stand.sendAll(other)
            try await stand.sendAll(asking)
            try await sent

            let ids = (0..<3).compactMap { asking.uniqueID($0) }
            #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == PushWindow.idLength })
            #expect((0..<3).allSatisfy { other.uniqueID($0) == nil })
            asking.reset(headers: try #require(other.headers.last))
            #expect(asking.uniqueID(0) == nil)
        }
        try await withStand({ $0.environment = .production }) { stand in
            let asking = try Stand.window(0..<3, keepsUniqueIDs: true)
            try await stand.sendAll(asking)
            #expect(asking.acceptedCount == 3 && asking.uniqueID(0) == nil)
        }
    }

    @Test func shutDownWaitsForWhatIsOnTheWire() async throws {
        try await withStand { stand in
            _ = await stand.client.send(try Stand.window(0..<1))
            stand.server.faults = Faults([.init(.delay(by: .milliseconds(200)))])
            let window = try Stand.window(1..<21)
            async let ending = stand.client.send(window)
            await stand.server.record.waitUntilAccepted(21)
            await stand.client.shutDown()

            #expect(window.places(.inFlight).isEmpty)
            #expect(await stand.client.connectionCount == 0)
            _ = await ending
            #expect(window.acceptedCount == 20)
            guard case .unavailable(.shutDown) = await stand.client.send(try Stand.window(30..<31)) else {
                throw Unexpected()
            }
        }
    }
}

/// An ending that the test did not ask for.
struct Unexpected: Error {

    @Test func pushesOfOneWindowMayHaveHeadersOfTheirOwn() async throws {
        let seen = Lock<[String: String]>([:])
        try await withStand(observe: { push in
            func value(_ name: String) -> String { push.headers.first { $0.name == name }?.value ?? "none" }
            seen.withLock { $0[value("apns-id")] = value("apns-collapse-id") + " " + value("apns-priority") }
        }) { stand in
            func headers(_ collapseID: String?, _ priority: Priority) throws -> PushHeaders {
                PushHeaders(
                    bundleID: try BundleID(Stand.bundleID), pushType: .alert, priority: priority, expiration: 0,
                    collapseID: try collapseID.map { try CollapseID($0) })
            }
            let window = PushWindow()
            let one = try headers("one", .immediate)
            window.reset(headers: one)
            window.append(0)
            window.append(1)
            window.use(try headers(nil, .powerAware))
            window.append(2)
            window.use(one)
            window.append(3)
            window.allow(until: .now() + .seconds(30) * Patience.factor)
            try await stand.sendAll(window)
            #expect(window.acceptedCount == 4)
        }
        let expected = ["one 10", "one 10", "none 5", "one 10"].enumerated().map { (Stand.id($0), $1) }
        #expect(seen.withLock { $0 } == Dictionary(uniqueKeysWithValues: expected))
    }
}
