import BelfryCore
import Foundation

/// A process that ends when the test process ends. Its output goes to a file.
final class ServerProcess: Sendable {
    enum Failure: Error, CustomStringConvertible {
        case ended(String)
        case tooLate(String)

        var description: String {
            switch self {
            case .ended(let output): "The process has ended: \(output)"
            case .tooLate(let output): "The output was not there in time: \(output)"
            }
        }
    }

    /// Linux kills the processes when the thread that started them ends (PR_SET_PDEATHSIG), so one thread starts all, and
    /// runs as long as the tests.
    private static let starter = Starter()

    /// Seconds that a test waits for an output.
    static let patience: TimeInterval = 60

    private let process: Guarded<Process>
    let output: URL
    let id: Int32

    init(_ arguments: [String], program: String, in folder: URL, directory: URL) async throws {
        output = folder.appendingPathComponent("output-\(UUID().uuidString)")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig=KILL", "--", program] + arguments
        process.currentDirectoryURL = directory
        process.standardOutput = try FileHandle(forWritingTo: output)
        // Not the variables of the test: Belfry refuses those that it does not know.
        process.environment = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "TMPDIR"].contains($0.key)
        }
        .merging(["BELFRY_LOG_LEVEL": "error"]) { $1 }
        let started = Guarded(process)
        self.process = started
        id = try await withCheckedThrowingContinuation { continuation in
            Self.starter.perform {
                continuation.resume(
                    with: Result {
                        try started.withLock {
                            try $0.run()
                            return $0.processIdentifier
                        }
                    })
            }
        }
    }

    var isRunning: Bool { process.withLock(\.isRunning) }

    var status: Int32 { process.withLock(\.terminationStatus) }

    func send(_ signal: Int32) { if isRunning { kill(id, signal) } }

    /// The whole output, when the condition holds for it. It polls the file.
    func output(until isThere: (String) throws -> Bool) async throws -> String {
        let end = Date() + Self.patience
        while true {
            let isRunning = isRunning
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if try isThere(text) { return text }
            guard isRunning else { throw Failure.ended(text) }
            guard Date() < end else { throw Failure.tooLate(String(text.suffix(2_000))) }
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }

    /// The output of a process that ends by itself.
    func ending() async throws -> String {
        do { return try await output { _ in false } } catch Failure.ended(let text) { return text }
    }
}

/// A thread that runs what it is given, one after the other.
private final class Starter: Sendable {
    private let waiting = Guarded<[@Sendable () -> Void]>([])
    private let signal = DispatchSemaphore(value: 0)

    init() {
        let thread = Thread { [waiting, signal] in
            while true {
                signal.wait()
                let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                next?()
            }
        }
        thread.start()
    }

    func perform(_ body: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(body) }
        signal.signal()
    }
}
