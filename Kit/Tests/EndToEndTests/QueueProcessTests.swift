import BelfryCore
import Foundation
import Testing

/// Two real processes in one folder, which are killed with SIGKILL.
@Suite struct QueueProcessTests {
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("QueueProcess").path

    @Test func killedRecorderLosesNothingThatWasRecorded() async throws {
        try await withFolder { folder in
            let names = ["app", "service"]
            let recorders = try await Self.start(names.map { ["record", folder.path, $0] }, in: folder)
            var recorded: [Set<String>] = []
            for recorder in recorders {
                _ = try await recorder.output { $0.utf8.filter { $0 == UInt8(ascii: "\n") }.count >= 200 }
                recorder.send(SIGKILL)
                // The last line may be half a line.
                let lines = try await recorder.ending().split(separator: "\n", omittingEmptySubsequences: false)
                recorded.append(Set(lines.dropLast().map(String.init)))
            }

            let queue = EventQueue(root: folder, process: "app")
            let found = try await queue.claim(limit: .max)
            let ids = found.claims.compactMap(\.event.messageID)
            #expect(found.corrupt == 0)
            #expect(Set(ids).count == ids.count)
            for (name, said) in zip(names, recorded) {
                let all = Set(ids.filter { $0.hasPrefix(name) })
                #expect(said.isSubset(of: all))
                // The process was killed after the event and before the line.
                #expect(all.subtracting(said).count <= 1)
            }
        }
    }

    @Test func twoProcessesTakeEachEventOnce() async throws {
        try await withFolder { folder in
            let queues = ["app", "service"].map { EventQueue(root: folder, process: $0) }
            for number in 0..<500 {
                try queues[number % 2].record(Event(messageID: "\(number)", kind: .opened, at: Date()))
            }
            let takers = try await Self.start(["app", "service"].map { ["claim", folder.path, $0] }, in: folder)
            var taken: [String] = []
            for taker in takers {
                let lines = try await taker.ending().split(separator: "\n").map(String.init)
                #expect(lines.last == "empty")
                taken += lines.dropLast()
            }
            #expect(taken.count == 500)
            #expect(Set(taken) == Set((0..<500).map(String.init)))
        }
    }

    // A request takes no two minutes, so an older claim is that of a process that has ended.
    @Test(arguments: [("before", 1), ("after", 2)])
    func claimsOfAKilledSenderAreRecoveredAndEachEventCountsOnce(killed: String, sendings: Int) async throws {
        try await withFolder { folder in
            let server = folder.appendingPathComponent("server")
            try Data().write(to: server)
            let app = EventQueue(root: folder.appendingPathComponent("events"), process: "app")
            for number in 0..<5 { try app.record(Event(messageID: "\(number)", kind: .opened, at: Date())) }
            func send(later seconds: Int, _ stop: String) async throws -> ServerProcess {
                let arguments = ["send", folder.path, server.path, "\(seconds)", stop]
                return try await Self.start([arguments], in: folder)[0]
            }
            func received() throws -> [JSONValue] {
                try Data(contentsOf: server).split(separator: UInt8(ascii: "\n")).flatMap {
                    try JSONDecoder().decode(JSONValue.self, from: Data($0))["events"]?.elements ?? []
                }
            }

            let first = try await send(later: 0, killed)
            _ = try await first.output { $0.contains("waiting") }
            first.send(SIGKILL)
            _ = try await first.ending()
            _ = try await send(later: 60, "never").ending()
            #expect(try received().count == 5 * (sendings - 1))

            _ = try await send(later: 121, "never").ending()
            let events = try received()
            #expect(events.count == 5 * sendings)
            // The server counts an event of a message once, by its kind.
            #expect(Set(events.compactMap { $0["message_id"]?.string }) == Set((0..<5).map(String.init)))
            #expect(try await app.claim(at: Date() + 1_000).claims.isEmpty)
        }
    }

    private static func start(_ commands: [[String]], in folder: URL) async throws -> [ServerProcess] {
        var processes: [ServerProcess] = []
        for command in commands {
            processes.append(
                try await ServerProcess(command, program: program, in: outputs(of: folder), directory: folder))
        }
        return processes
    }

    /// Beside the queue's folder, in which every folder is that of a process.
    private static func outputs(of folder: URL) -> URL { folder.deletingLastPathComponent() }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let outer = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-kit-\(UUID().uuidString)")
        let folder = outer.appendingPathComponent("queue")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: outer) }
        try await body(folder)
    }
}
