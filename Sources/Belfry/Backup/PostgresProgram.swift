import EventLoop
import Foundation
import PrivatePostgres

/// A client program of PostgreSQL, such as `pg_dump`. It ends with this process, also after `kill -9`.
struct PostgresProgram: Sendable {
    /// Lines of errors that are kept.
    private static let maximumErrors = 8
    /// Between looks at the messages of a program that runs.
    private static let readInterval = Duration.milliseconds(50)
    private static let readSize = 16 * 1024

    let path: String
    let loop: EventLoop

    /// Finds the program of a server's major version: an older one refuses to work with it, and the files of a newer
    /// one can't be put back into it. With `acceptsNewer` a newer one will do.
    static func find(
        _ name: String, version: Int, acceptsNewer: Bool = false, on loop: EventLoop
    ) async throws -> PostgresProgram {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["BELFRY_POSTGRES_BIN"].flatMap { $0.isEmpty ? nil : $0 }
        let folders =
            named.map { [$0] }
            ?? debianFolders(version) + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
            let program = PostgresProgram(path: "\(folder)/\(name)", loop: loop)
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
        let messages = Pipe()
        let reading = messages.fileHandleForReading.fileDescriptor
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        // The loop's thread lives as long as the command: it is the one that PDEATHSIG watches.
        let child = try await withTaskExecutorPreference(loop) {
            try ChildProcess.spawn(
                ["setpriv", "--pdeathsig=TERM", "--", path] + arguments,
                environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
                    .merging(["PGAPPNAME": "belfry \(name)"]) { $1 },
                output: output?.fileHandleForWriting.fileDescriptor,
                errors: messages.fileHandleForWriting.fileDescriptor)
        }
        try messages.fileHandleForWriting.close()
        try output?.fileHandleForWriting.close()
        var lines = LineReader()
        var errors: [String] = []
        func take(_ found: [String]) {
            for line in found {
                onLine(line)
                guard let error = line.firstRange(of: "error: ") else { continue }
                if errors.count < Self.maximumErrors { errors.append(String(line[error.upperBound...])) }
            }
        }
        var status: Int32?
        while status == nil {
            status = await child.waitForExit(on: loop, within: Self.readInterval)
            while let bytes = Self.available(reading) { take(lines.add(bytes)) }
        }
        take(lines.end())
        guard status == 0 else {
            let status = status.map { $0 & 0x7F == 0 ? $0 >> 8 : -($0 & 0x7F) } ?? -1
            throw CommandFailure(
                "\(name) failed: \(errors.isEmpty ? "it ended with the status \(status)" : errors.joined(separator: "\n"))"
            )
        }
    }

    /// The bytes that are in the pipe now; nil if there are none.
    private static func available(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: readSize) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private var name: String { URL(filePath: path).lastPathComponent }
}

/// Cuts text that comes in pieces into lines.
private struct LineReader {
    private var rest: [UInt8] = []

    /// The lines that are complete now.
    mutating func add(_ piece: [UInt8]) -> [String] {
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = rest[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        rest.removeSubrange(...end)
        return lines
    }

    /// The last line, if it has no line feed.
    mutating func end() -> [String] {
        defer { rest = [] }
        return rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
    }
}
