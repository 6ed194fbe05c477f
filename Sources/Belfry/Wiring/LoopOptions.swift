import ArgumentParser
import Configuration
import FoundationEssentials

/// The number of threads that handle requests, and that send. Each runs an event loop.
struct LoopCounts: Equatable, Sendable {
    static let limits = 1...64

    var web: Int
    var send: Int

    /// A quarter of the processor's cores each; PostgreSQL needs the others.
    static func standard(cores: Int = ProcessInfo.processInfo.activeProcessorCount) -> LoopCounts {
        let share = min(max(1, cores / 4), limits.upperBound)
        return LoopCounts(web: share, send: share)
    }
}

struct SendLoopOptions: ParsableArguments {
    @Option(
        help: """
            Threads that send pushes, from 1 to 64. Each is a worker of its own, with its own connections to PostgreSQL \
            and APNs. [BELFRY_SEND_LOOPS; default: a quarter of the cores, at least 1]
            """)
    var sendLoops: Int?

    func count(_ reader: ConfigReader) throws -> Int {
        try LoopCounts.checked(sendLoops ?? reader.int(forKey: "belfry.send.loops"), "send")
            ?? LoopCounts.standard().send
    }
}

struct WebLoopOptions: ParsableArguments {
    @Option(
        help: """
            Threads that handle HTTP requests, from 1 to 64. Connections are spread over them. [BELFRY_WEB_LOOPS; \
            default: a quarter of the cores, at least 1]
            """)
    var webLoops: Int?

    func count(_ reader: ConfigReader) throws -> Int {
        try LoopCounts.checked(webLoops ?? reader.int(forKey: "belfry.web.loops"), "web") ?? LoopCounts.standard().web
    }
}

extension LoopCounts {
    fileprivate static func checked(_ number: Int?, _ name: String) throws -> Int? {
        guard let number else { return nil }
        guard limits.contains(number) else {
            throw ValidationError(
                "\(number) is not a possible number of \(name) loops; it must be from \(limits.lowerBound) to \(limits.upperBound)."
            )
        }
        return number
    }
}
