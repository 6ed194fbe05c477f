import Foundation
import Testing

@testable import BelfryCore

struct EventQueueTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func recordedEventSurvivesTheProcess() async throws {
        try await withFolder { root in
            let event = Event(messageID: "m", kind: .text, at: now, action: "reply", text: "Hi 💥\n")

            try EventQueue(root: root, process: "app").record(event, at: now)

            let claims = try await EventQueue(root: root, process: "app").claim(at: now)
            #expect(claims.claims.map(\.event) == [event])
        }
    }

    @Test func eventsOfAllProcessesAreClaimedInOrder() async throws {
        try await withFolder { root in
            let app = EventQueue(root: root, process: "app")
            let service = EventQueue(root: root, process: "service")
            for number in 0..<20 {
                try (number % 2 == 0 ? app : service).record(event("\(number)"), at: now)
            }

            let ids = try await app.claim(at: now).claims.map(\.event.messageID)
            #expect(ids == (0..<20).map(String.init))
        }
    }

    @Test func twoSendersNeverClaimTheSameEventAndLoseNone() async throws {
        try await withFolder { root in
            let senders = [EventQueue(root: root, process: "app"), EventQueue(root: root, process: "service")]
            for number in 0..<200 { try senders[number % 2].record(event("\(number)"), at: now) }

            let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
                for sender in senders {
                    group.addTask {
                        var ids: [String] = []
                        while true {
                            let claims = try await sender.claim(limit: 7, at: now).claims
                            if claims.isEmpty { return ids }
                            ids += claims.compactMap(\.event.messageID)
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { $0 += $1 }
            }

            #expect(claimed.count == 200)
            #expect(Set(claimed).count == 200)
        }
    }

    @Test func claimOfAnEndedProcessIsRecoveredAndALiveOneIsNot() async throws {
        try await withFolder { root in
            try EventQueue(root: root, process: "app").record(event("m"), at: now)
            #expect(try await EventQueue(root: root, process: "app").claim(at: now).claims.count == 1)

            let next = EventQueue(root: root, process: "app")
            #expect(try await next.claim(at: now + EventFile.claimLifetime).claims.isEmpty)
            #expect(try await next.claim(at: now + EventFile.claimLifetime + 1).claims.count == 1)
        }
    }

    // Two processes took the same event when one claimed it after the other had looked at the clock.
    @Test func claimThatIsLaterThanTheOwnClockIsNotTaken() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app")
            try queue.record(event("m"), at: now)
            #expect(try await queue.claim(at: now + 0.005).claims.count == 1)
            #expect(try await queue.claim(at: now).claims.isEmpty)
        }
    }

    @Test func claimSurvivesAClockThatIsSetBack() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app")
            try queue.record(event("m"), at: now)
            #expect(try await queue.claim(at: now).claims.count == 1)

            let yearAgo = now - 365 * 24 * 60 * 60
            #expect(try await queue.claim(at: yearAgo).claims.count == 1)
        }
    }

    @Test func removedEventIsGoneAndReleasedEventComesBack() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app")
            for id in ["a", "b"] { try queue.record(event(id), at: now) }

            let claims = try await queue.claim(at: now).claims
            try await queue.remove([claims[0]])
            try await queue.remove([claims[0]])
            try await queue.release([claims[1]])

            #expect(try await queue.claim(at: now).claims.map(\.event.messageID) == ["b"])
        }
    }

    @Test func halfWrittenFileIsIgnoredAndCorruptOneIsRemovedOnce() async throws {
        try await withFolder { root in
            let queue = EventQueue(root: root, process: "app")
            try queue.record(event("m"), at: now)
            let folder = root.appendingPathComponent("app")
            let writing = EventFile(at: now, uptime: 1)
            try Data("{".utf8).write(to: folder.appendingPathComponent(writing.temporaryName))
            try Data("{".utf8).write(to: folder.appendingPathComponent(EventFile(at: now, uptime: 2).name))

            let claims = try await queue.claim(at: now)
            #expect(claims.claims.count == 1)
            #expect(claims.corrupt == 1)
            #expect(try await queue.claim(at: now).corrupt == 0)
        }
    }

    // iOS ends a suspended process that holds a lock in a shared container; a lock needs an open descriptor.
    @Test func noDescriptorStaysOpenAfterRecordAndClaim() async throws {
        #if os(Linux)
            try await withFolder { root in
                let queue = EventQueue(root: root, process: "app")
                try queue.record(event("m"), at: now)
                _ = try await queue.claim(at: now)

                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                let open = descriptors.compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                }
                #expect(open.allSatisfy { !$0.hasPrefix(root.path) })
            }
        #endif
    }

    private func event(_ id: String) -> Event { Event(messageID: id, kind: .opened, at: now) }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(root)
    }
}
