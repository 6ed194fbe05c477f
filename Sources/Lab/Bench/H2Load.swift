import Belfry
import Foundation

/// Runs h2load, nghttp2's load generator, for comparison. It uses the same libraries and none of Belfry's code.
enum H2Load {
    struct Measure {
        let seconds: Double
        let processorSeconds: Double
    }

    static let payload =
        #"{"aps":{"alert":{"title":"Evening bells","body":"Tonight at eight the ringers play for you."},"sound":"default"},"i":"00000001-0000-8000-8000-000000000000"}"#
    /// The number of distinct paths. h2load requests them cyclically.
    private static let paths = 20_000

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/h2load") }

    /// Returns nil if h2load is not installed.
    static func pushes(_ count: Int, to apple: BenchmarkAPNS, connections: Int = 1) throws -> Measure? {
        guard isInstalled else { return nil }
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-h2load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = folder.appending(path: "paths"), body = folder.appending(path: "body")
        var lines = ""
        for number in 0..<paths {
            let token = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63, radix: 16)
            lines += "https://localhost:\(apple.port)/3/device/\(token)\(token)\(token)\(token)\n"
        }
        try Data(lines.utf8).write(to: list)
        try Data(payload.utf8).write(to: body)
        let (output, measure) = try run([
            "-n", "\(count)", "-c", "\(connections)", "-m", "1000", "-t", "1", "-d", body.path, "-i", list.path,
            "-H", ":method: POST", "-H", "authorization: bearer \(String(repeating: "x", count: 190))",
            "-H", "apns-topic: \(BenchmarkAPNS.bundleID)", "-H", "apns-push-type: alert", "-H", "apns-priority: 10",
            "-H", "apns-id: 00000001-0000-8000-8000-000000000000", "-H", "apns-expiration: 1900000000",
            "-H", "apns-collapse-id: bench",
        ])
        guard output.contains("\(count) succeeded") else { throw CommandFailure("h2load failed:\n\(output)") }
        return measure
    }

    /// GET requests over HTTP/1.1 with keep-alive.
    static func gets(_ count: Int, _ url: String, connections: Int) throws -> Measure? {
        guard isInstalled else { return nil }
        let (output, measure) = try run(["--h1", "-n", "\(count)", "-c", "\(connections)", "-t", "1", url])
        guard output.contains("\(count) 2xx") else { throw CommandFailure("h2load failed:\n\(output)") }
        return measure
    }

    private static func run(_ arguments: [String]) throws -> (String, Measure) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/h2load")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let before = childrenProcessorSeconds()
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let used = childrenProcessorSeconds() - before
        let output = String(decoding: data, as: UTF8.self)
        return (output, Measure(seconds: finishedIn(output), processorSeconds: used))
    }

    /// The duration from a line such as "finished in 1.62s, 246913.58 req/s, …". It excludes the startup.
    private static func finishedIn(_ output: String) -> Double {
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("finished in") }),
            let word = line.split(separator: " ").dropFirst(2).first
        else { return .nan }
        let digits = word.prefix { $0.isNumber || $0 == "." }
        let scale = word.contains("ms") ? 1e-3 : word.contains("us") ? 1e-6 : 1
        return (Double(digits) ?? .nan) * scale
    }

    private static func childrenProcessorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        let system = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        return user + system
    }
}
