import Belfry
import EventLoop
import Foundation

/// A process of `belfry`, whose resource usage can be measured. It ends when this process ends.
final class BelfrySubprocess {
    struct Usage {
        let processorSeconds: Double
        let peakMegabytes: Double
    }

    /// The program is built beside this one.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "belfry").path

    private let process = Process()

    /// Call on the loop: Linux kills the child when the thread that started it ends (PR_SET_PDEATHSIG). The child's log
    /// is written to the file `log` or, without one, to standard error. `folder` is its working directory.
    init(
        _ arguments: [String], environment: [String: String], in folder: String? = nil, log: String? = nil,
        on loop: EventLoop
    ) throws {
        loop.checkIsolated()
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw CommandFailure("\(Self.program) is missing; build it with make build")
        }
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig=KILL", "--", Self.program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        if let log {
            try TextFile.write("", to: log)
            process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        }
        try process.run()
    }

    /// Usage so far.
    func usage() throws -> Usage {
        let id = process.processIdentifier
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = peak.flatMap { Double($0.filter(\.isNumber)) } ?? 0
        return Usage(processorSeconds: try ProcessorTime.seconds(of: id), peakMegabytes: kilobytes / 1_024)
    }

    var isRunning: Bool { process.isRunning }

    /// The exit status of an ended process; the signal's number if a signal ended it.
    var status: Int32 { process.terminationStatus }

    /// Sends a signal while the process runs, as its id may be reused afterwards.
    func send(_ signal: Int32) { if process.isRunning { kill(process.processIdentifier, signal) } }

    /// Returns false if the process still runs after the time.
    func waitForExit(on loop: EventLoop, within time: Duration) async -> Bool {
        let end = MonotonicTime.now() + time
        while process.isRunning {
            guard .now() < end else { return false }
            // This wait can't be cancelled, so that no process is left behind.
            await withUnsafeContinuation { continuation in
                loop.perform { _ = loop.schedule(after: Self.pollInterval) { continuation.resume() } }
            }
        }
        return true
    }

    private static let pollInterval = Duration.milliseconds(10)

    /// Sends SIGTERM and waits until the process has ended.
    func terminate() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
