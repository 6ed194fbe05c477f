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
    /// and not before.
    init(_ arguments: [String], environment: [String: String], on loop: EventLoop) throws {
        loop.checkIsolated()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig=KILL", "--", program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// Of the process so far, from /proc.
    func usage() throws -> Usage {
        let id = process.processIdentifier
        let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // Fields 14 and 15, counted behind the name, which may hold spaces (proc(5)).
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = peak.flatMap { Double($0.filter(\.isNumber)) } ?? 0
        return Usage(processorSeconds: ticks / Double(sysconf(Int32(_SC_CLK_TCK))), peakMegabytes: kilobytes / 1_024)
    }

    /// Asks it to end, and waits until it has.
    func terminate() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
