import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

struct EventQueueLimitsTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let year: TimeInterval = 365 * 24 * 60 * 60

    @Test func oldestEventsGiveWayAndOneDiagnosticSaysSo() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app", limit: 5)
            let codes = Guarded<[String]>([])
            let diagnostics = Diagnostics { diagnostic in codes.withLock { $0.append(diagnostic.code) } }
            let server = RecordingServer()
            let sender = EventSender(
                queue: queue, configuration: try configuration(), transport: server, diagnostics: diagnostics,
                clock: SystemClock())
            for round in 0..<2 {
                for number in 0..<7 { try queue.record(event("\(round)-\(number)"), at: now + Double(number)) }
                #expect(await sender.flush() == .done)
            }
            let kept = (2..<7).map { "opened of 0-\($0)" } + (2..<7).map { "opened of 1-\($0)" }
            #expect(server.events == kept)
            #expect(codes.withLock { $0 } == ["too-many-events"])
        }
    }

    @Test func noEventGivesWayAtTheLimit() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app", limit: 5)
            for number in 0..<5 { try queue.record(event("\(number)"), at: now) }
            let claims = try await queue.claim(at: now)
            #expect(claims.claims.count == 5 && claims.dropped == 0)
        }
    }

    @Test func fileOfAProcessThatEndedWhileItWroteIsSweptAfterADay() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app")
            try queue.record(event("m"), at: now)
            let day = EventQueue.writingLifetime
            let files = [-day - 1, -day + 1, 0, Self.year].map { EventFile(at: now + $0, uptime: 1).temporaryName }
            for file in files { try Data("{".utf8).write(to: root.appendingPathComponent("app/\(file)")) }

            #expect(try await queue.claim(at: now).claims.count == 1)
            let left = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("app").path)
            #expect(Set(left.filter { $0.hasSuffix(".writing") }) == Set(files[1...2]))
        }
    }

    // The clock was set after the event was recorded, or before: the event is sent at once, with the time of sending.
    @Test(arguments: [-year, year])
    func clockThatIsSetExpiresNothingAndHoldsNothingBack(by seconds: TimeInterval) async throws {
        try await withFolder { root in
            let clock = TestClock()
            let queue = EventQueue(root: root, process: "app")
            let server = RecordingServer()
            let sender = EventSender(
                queue: queue, configuration: try configuration(), transport: server, diagnostics: Diagnostics(),
                clock: clock)
            try queue.record(Event(messageID: "m", kind: .opened, at: clock.now), at: clock.now)
            clock.advance(seconds)
            #expect(await sender.flush() == .done)

            let request = try #require(server.requests.first)
            #expect(request["sent_at"] == .string(Event.timestamp(clock.now)))
            guard case .array(let events) = request["events"] else { throw CancellationError() }
            #expect(events.first?.object?["at"] == request["sent_at"])
        }
    }

    @Test(arguments: [0, 1, EventBatch.longestDelay])
    func possibleTimeOfAnEventStays(age: TimeInterval) throws {
        let body = try EventBatch.body([Event(messageID: "m", kind: .opened, at: now - age)], sentAt: now)
        let members = try JSONDecoder().decode(JSONValue.self, from: body).object
        guard case .array(let events) = members?["events"] else { throw CancellationError() }
        #expect(events.first?.object?["at"] == .string(Event.timestamp(now - age)))
    }

    private func configuration() throws -> BelfryConfiguration {
        BelfryConfiguration(
            api: try #require(URL(string: "https://push.example.com/v1/apps/1")), publishableKey: "bfp_x")
    }

    private func event(_ id: String) -> Event { Event(messageID: id, kind: .opened, at: now) }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(root)
    }
}
