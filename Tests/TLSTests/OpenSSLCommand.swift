import Foundation

/// The `openssl` program as an independent peer.
enum OpenSSLCommand {
    private static let path = "/usr/bin/openssl"

    /// Runs it with `input`, and returns its output once it has ended.
    static func run(_ arguments: [String], input: String) async throws -> String {
        let (process, stdin, stdout) = try start(arguments)
        try stdin.write(contentsOf: Data(input.utf8))
        try stdin.close()
        let output = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: stdout.readDataToEndOfFile())
            }
        }
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Its output contains standard output and standard error.
    static func start(_ arguments: [String]) throws -> (Process, stdin: FileHandle, stdout: FileHandle) {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return (process, input.fileHandleForWriting, output.fileHandleForReading)
    }

    /// Files that live as long as `body` runs, by name.
    static func withFiles<Result>(
        _ files: [String: String], _ body: @concurrent @Sendable (_ folder: String) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { print("\(folder.path) stays: \(error)") }
        }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return try await body(folder.path)
    }
}
