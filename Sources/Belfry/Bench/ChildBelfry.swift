import EventLoop
import Foundation

/// This program once more, as a process of its own that can be measured, and ended. It does not outlive
/// this one, however that ends.
final class ChildBelfry {
    struct Usage {
        let processorSeconds: Double
        let peakMegabytes: Double
    }

    private let process = Process()

    /// On the loop only: Linux kills the child when the thread that started it ends (PR_SET_PDEATHSIG),
    /// and not before. Its log goes to the file, or where this one's goes.
    init(_ arguments: [String], environment: [String: String], log: String? = nil, on loop: EventLoop) throws {
        loop.checkIsolated()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig=KILL", "--", program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        if let log {
            try TextFile.write("", to: log)
            process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        }
        try process.run()
    }

    /// Of the process so far. Its processor time by its own clock (clock_getcpuclockid(3)): /proc counts in hundredths.
    func usage() throws -> Usage {
        let id = process.processIdentifier
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw CommandFailure("the processor time of process \(id) cannot be read")
        }
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = peak.flatMap { Double($0.filter(\.isNumber)) } ?? 0
        return Usage(
            processorSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, peakMegabytes: kilobytes / 1_024)
    }

    var isRunning: Bool { process.isRunning }

    /// Of one that has ended; the signal's number where a signal ended it.
    var status: Int32 { process.terminationStatus }

    /// To this process only: its id stays its own for as long as it runs.
    func send(_ signal: Int32) { if process.isRunning { kill(process.processIdentifier, signal) } }

    /// False when it still runs after the time.
    func waitForExit(on loop: EventLoop, within time: Duration) async -> Bool {
        let end = MonotonicTime.now() + time
        while process.isRunning {
            guard .now() < end else { return false }
            // Whatever is cancelled, what was started is waited for.
            await withUnsafeContinuation { continuation in
                loop.perform { _ = loop.schedule(after: Self.pollInterval) { continuation.resume() } }
            }
        }
        return true
    }

    private static let pollInterval = Duration.milliseconds(10)

    /// Asks it to end, and waits until it has.
    func terminate() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
