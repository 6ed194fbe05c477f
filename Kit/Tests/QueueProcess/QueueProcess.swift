import BelfryCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A process that a test can kill while it records or sends events. Each line of its output was true before it was
/// written.
///
///     QueueProcess record FOLDER PROCESS
///     QueueProcess claim FOLDER PROCESS
///     QueueProcess send FOLDER SERVER-FILE SECONDS never|before|after
@main struct QueueProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        guard arguments.count >= 3 else { exit(EX_USAGE) }
        let folder = URL(fileURLWithPath: arguments[1])
        switch arguments[0] {
        case "record": try record(EventQueue(root: folder, process: arguments[2]), arguments[2])
        case "claim": try await claim(EventQueue(root: folder, process: arguments[2]))
        default: try await send(folder, arguments[2], Double(arguments[3]) ?? 0, arguments[4])
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Records until it is killed.
    private static func record(_ queue: EventQueue, _ name: String) throws {
        for number in 0... {
            try queue.record(Event(messageID: "\(name)-\(number)", kind: .opened, at: Date()))
            say("\(name)-\(number)")
        }
    }

    /// Takes events until there are none.
    private static func claim(_ queue: EventQueue) async throws {
        while true {
            let claims = try await queue.claim(limit: 7).claims
            if claims.isEmpty { break }
            for claim in claims { say(claim.event.messageID ?? "") }
            try await queue.remove(claims)
        }
        say("empty")
    }

    /// Sends to a file, by a clock that is ahead.
    private static func send(_ folder: URL, _ file: String, _ seconds: TimeInterval, _ stop: String) async throws {
        guard let api = URL(string: "https://push.example.com/v1/apps/1") else { exit(EX_USAGE) }
        let client = Client(
            configuration: BelfryConfiguration(api: api, publishableKey: "bfp_x"), folder: folder,
            installations: InstallationFile(in: folder),
            transport: FileServer(file: URL(fileURLWithPath: file), stop: stop), clock: LateClock(seconds: seconds))
        await client.flush()
        say("flushed")
    }

    private struct LateClock: ClientClock {
        let seconds: TimeInterval

        var now: Date { Date() + seconds }

        func sleep(seconds: TimeInterval) async throws { try await SystemClock().sleep(seconds: seconds) }
    }

    /// Appends each request's body to a file as a line, and waits to be killed before or after it.
    private struct FileServer: Transport {
        let file: URL
        let stop: String

        func send(_ request: URLRequest) async -> TransportResult {
            if stop == "before" { await wait() }
            do {
                let handle = try FileHandle(forWritingTo: file)
                try handle.seekToEnd()
                try handle.write(contentsOf: (request.httpBody ?? Data()) + Data("\n".utf8))
                try handle.close()
            } catch { return .failed("\(error)") }
            if stop == "after" { await wait() }
            return .answer(.init(status: 200, body: Data("{}".utf8)))
        }

        private func wait() async {
            QueueProcess.say("waiting")
            // Until the test kills the process; if it can't, the process ends by itself.
            try? await Task.sleep(nanoseconds: 60_000_000_000)
        }
    }
}
