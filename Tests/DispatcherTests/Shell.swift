import Foundation

/// Programs of PostgreSQL and the system that tests run.
enum Shell {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the exit status. Errors that the program prints are dropped.
    static func status(_ program: String, _ arguments: [String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardError = FileHandle.nullDevice
        // Programs of PostgreSQL must be of the server's version.
        var environment = ProcessInfo.processInfo.environment
        if let folder = environment["BELFRY_POSTGRES_BIN"] {
            environment["PATH"] = "\(folder):\(environment["PATH"] ?? "")"
        }
        process.environment = environment
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    static func run(_ program: String, _ arguments: String...) async throws {
        let status = try await status(program, arguments)
        guard status == 0 else { throw Failed(description: "\(program) failed with status \(status)") }
    }
}
