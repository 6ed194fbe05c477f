import EventLoop
import Foundation

/// A client program of PostgreSQL, such as `pg_dump`. It ends with this process, also after `kill -9`.
struct PostgresProgram: Sendable {
    /// Lines of errors that are kept.
    private static let maximumErrors = 8

    let path: String

    /// Finds the program of a server's major version: an older one refuses to work with it, and the files of a newer
    /// one can't be put back into it. With `acceptsNewer` a newer one will do.
    static func find(_ name: String, version: Int, acceptsNewer: Bool = false) async throws -> PostgresProgram {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["BELFRY_POSTGRES_BIN"].flatMap { $0.isEmpty ? nil : $0 }
        let folders =
            named.map { [$0] }
            ?? debianFolders(version) + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
            let program = PostgresProgram(path: "\(folder)/\(name)")
            guard let found = await program.majorVersion() else { continue }
            if found == version || acceptsNewer && found > version { return program }
        }
        throw CommandFailure(
            """
            \(name) of PostgreSQL \(version) is missing\(named.map { " in \($0)" } ?? ""). Install it (Debian: apt-get \
            install postgresql-client-\(version)), or set BELFRY_POSTGRES_BIN to the directory that has it.
            """)
    }

    /// The right version first, then the newest one.
    private static func debianFolders(_ version: Int) -> [String] {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileTree.names(in: root)) ?? []).compactMap { Int($0) }.sorted(by: >)
        return ([version] + versions).map { "\(root)/\($0)/bin" }
    }

    /// From `pg_dump (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
    static func majorVersion(_ answer: String) -> Int? {
        guard let number = answer.firstRange(of: "(PostgreSQL) ")?.upperBound else { return nil }
        return Int(answer[number...].prefix { $0.isWholeNumber })
    }

    private func majorVersion() async -> Int? {
        let pipe = Pipe()
        guard (try? await run(["--version"], output: pipe)) != nil else { return nil }
        return Self.majorVersion(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self))
    }

    /// Runs the program to its end. `onLine` gets what it writes to standard error, line by line. Throws
    /// `CommandFailure` with its messages of errors: without details, which quote rows.
    func run(
        _ arguments: [String], environment: [String: String] = [:], output: Pipe? = nil,
        onLine: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig=TERM", "--", path] + arguments
        // Messages in English, whose beginnings are known.
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["LC_ALL": "C.UTF-8", "PGAPPNAME": "belfry \(name)"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        let lines = Lock(LineReader())
        let errors = Lock<[String]>([])
        let messages = Pipe()
        process.standardError = messages
        @Sendable func take(_ found: [String]) {
            for line in found {
                onLine(line)
                guard let error = line.firstRange(of: "error: ") else { continue }
                errors.withLock { if $0.count < Self.maximumErrors { $0.append(String(line[error.upperBound...])) } }
            }
        }
        let isRead = AsyncStream<Void> { continuation in
            messages.fileHandleForReading.readabilityHandler = { handle in
                let bytes = handle.availableData
                take(lines.withLock { $0.add(bytes) })
                guard bytes.isEmpty else { return }
                handle.readabilityHandler = nil
                continuation.finish()
            }
        }
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        for await _ in isRead {}
        guard status == 0 else {
            let reasons = errors.withLock { $0 }
            throw CommandFailure(
                "\(name) failed: \(reasons.isEmpty ? "it ended with the status \(status)" : reasons.joined(separator: "\n"))"
            )
        }
    }

    private var name: String { URL(filePath: path).lastPathComponent }
}

/// Cuts text that comes in pieces into lines.
private struct LineReader {
    private var rest = Data()

    /// The complete lines; at the end, which is an empty piece, also the last one.
    mutating func add(_ piece: Data) -> [String] {
        rest += piece
        var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = piece.isEmpty ? Data() : Data(parts.removeLast())
        return parts.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}
