import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

@Suite struct LocalEventTests {
    private static let requestID = PlanSchedule.prefix + "7/evening"

    /// A repeating notification has one request, whose key is the same every day.
    @Test func tapOnEachRepetitionCounts() {
        var responses = HandledResponses()
        let start = Date(timeIntervalSince1970: 1_780_000_000)
        func tap(_ date: Date) -> Bool {
            let response = ResponseEvent(
                push: Push(userInfo: [:]), requestID: Self.requestID, action: ResponseEvent.defaultAction, at: date)
            return responses.handle(response, at: date)
        }
        #expect(tap(start) && !tap(start + 1) && tap(start + 60) && tap(start + 86_400))
        #expect(responses.convertedMessage(at: start + 86_400) == nil)
    }

    /// Nothing else would ever end such events, and one request is enough to learn it.
    @Test func eventsOfADeviceThatTheServerDoesNotHaveAreDropped() async throws {
        let server = RecordingServer { request, _ in
            request.path.hasSuffix("/local-events") ? .problem(404, "device-not-found") : .ok()
        }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            for _ in 0..<3 { try client.record(LocalNotificationID(identifier: "7/evening", version: 1), .presented) }
            try client.record(ClientFixture.push(), .opened)

            await client.flush()
            await client.flush()

            #expect(server.requests("POST devices/phone-1/local-events").count == 1)
            #expect(server.requests("POST acknowledgements").count == 1)
        }
    }

    @Test func outageKeepsThemForTheNextLaunch() async throws {
        let isDown = Guarded(true)
        let server = RecordingServer { _, _ in isDown.withLock { $0 } ? .problem(503, "busy") : .ok() }
        try await ClientFixture.with(server) { fixture in
            let client = try fixture.client()
            try client.record(LocalNotificationID(identifier: "7/evening"), .opened)
            await client.flush()
            isDown.withLock { $0 = false }
            let count = server.events.count

            await try fixture.client().flush()

            #expect(server.events.dropFirst(count) == ["opened of 7/evening"])
        }
    }

    /// Without an installation there is no address to send them to, and the pushes' events do not wait for it.
    @Test func lockedKeychainDelaysThemAlone() async throws {
        let keychain = MemoryInstallation(.locked)
        try await ClientFixture.with(keychain: keychain) { fixture in
            let client = try fixture.client()
            try client.record(LocalNotificationID(identifier: "7/evening"), .opened)
            try client.record(ClientFixture.push(), .opened)
            await client.flush()
            #expect(fixture.server.events == ["opened of m1"])
        }
    }
}
