import EventLoop
public import Foundation

/// A process of the built `belfry`, or of another program, which ends when the test process ends.
public final class BelfryProcess: Sendable {
    public struct Ending {
        public let status: Int32
        public let output: String
    }

    /// Beside the test bundle.
    public static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "belfry")

    /// `belfry-lab`, beside it.
    public static let laboratory = executable.deletingLastPathComponent().appending(path: "belfry-lab")

    /// The loop that starts the processes. Linux kills them when the thread that started them ends (PR_SET_PDEATHSIG);
    /// this thread runs until the tests end.
    private static let parent = Result { try EventLoop(name: "parent") }

    private let process: Lock<Process>
    public let id: Int32
    private let ended = Lock<(isEnded: Bool, waiter: UnsafeContinuation<Void, Never>?)>((false, nil))
    private let output: URL

    /// Standard output, with `capturesErrors` standard error too, is written to a file in `folder`. `descriptors` are
    /// the soft and the hard limit on open files, such as "256:1024".
    public init(
        _ arguments: [String], program: [String] = [executable.path], in folder: URL,
        environment: [String: String] = [:], descriptors: String? = nil,
        capturesErrors: Bool = false
    ) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments =
            ["--pdeathsig=KILL", "--"]
            + (descriptors.map { ["/usr/bin/prlimit", "--nofile=\($0)"] } ?? []) + program + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        output = folder.appending(path: "output-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: output.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let file = try FileHandle(forWritingTo: output)
        process.standardOutput = file
        if capturesErrors { process.standardError = file }
        let ended = ended
        process.terminationHandler = { _ in
            let waiter = ended.withLock { state in
                state.isEnded = true
                return state.waiter
            }
            waiter?.resume()
        }
        let parent = try Self.parent.get()
        let started = Lock(process)
        self.process = started
        id = try await withCheckedThrowingContinuation { continuation in
            parent.perform {
                continuation.resume(
                    with: Result {
                        try started.withLock { process in
                            try process.run()
                            return process.processIdentifier
                        }
                    })
            }
        }
    }

    public func outputSoFar() throws -> String { try String(contentsOf: output, encoding: .utf8) }

    /// Waits until the output after `count` bytes contains the text, and returns the whole output. It polls the file.
    public func output(until text: String, after count: Int = 0) async throws -> String {
        let loop = try Self.parent.get()
        while true {
            let isEnded = ended.withLock(\.isEnded)
            let all = try outputSoFar()
            if String(decoding: all.utf8.dropFirst(count), as: UTF8.self).contains(text) { return all }
            guard !isEnded else {
                throw EndedEarly(ending: process.withLock { "\($0.end)" }, awaited: text, output: all)
            }
            try await withTaskExecutorPreference(loop) { try await loop.sleep(for: .milliseconds(10)) }
        }
    }

    /// The process ended before it wrote what a test waited for.
    struct EndedEarly: Error {
        /// The status, or the signal that ended it.
        let ending: String
        let awaited: String
        let output: String
    }

    public func ending() async throws -> Ending {
        await withUnsafeContinuation { continuation in
            let isEnded = ended.withLock { state in
                if !state.isEnded { state.waiter = continuation }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
        return Ending(
            status: process.withLock(\.terminationStatus), output: try String(contentsOf: output, encoding: .utf8))
    }

    /// Changes the soft limit on open files of the running process.
    public func limitDescriptors(to count: Int) async throws {
        let limiting = Process()
        limiting.executableURL = URL(filePath: "/usr/bin/prlimit")
        limiting.arguments = ["--pid", "\(id)", "--nofile=\(count):"]
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            limiting.terminationHandler = { _ in done.resume() }
            do { try limiting.run() } catch { done.resume(throwing: error) }
        }
        guard limiting.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The lowest number that no open file of the running process has.
    public var lowestFreeDescriptor: Int {
        get throws {
            let open = Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").compactMap { Int($0) })
            return (0...open.count).first { !open.contains($0) } ?? open.count
        }
    }

    public func send(_ signal: Int32) { if !ended.withLock(\.isEnded) { kill(id, signal) } }
}

extension Process {
    /// "status 1" or "signal 9".
    fileprivate var end: String {
        "\(terminationReason == .uncaughtSignal ? "signal" : "status") \(terminationStatus)"
    }
}
