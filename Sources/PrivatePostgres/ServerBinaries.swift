import EventLoop
import Glibc

/// The directory with `postgres` and `initdb`: the one that BELFRY_POSTGRES_BIN names, otherwise the newest version of
/// Debian's packages, otherwise the first in PATH.
struct ServerBinaries {
    static let variable = "BELFRY_POSTGRES_BIN"

    let directory: String
    /// The library of PL/pgSQL, in one of the usual places beside the programs; nil if it is in none.
    var languageLibrary: String? {
        ["lib", "lib/postgresql", "lib64"].map { "\(directory)/../\($0)/plpgsql.so" }.first { access($0, R_OK) == 0 }
    }

    /// If `version` of Debian's packages is installed, it goes before newer ones: it wrote the data.
    init(
        preferring version: Int?, named: String? = Self.environment(Self.variable)
    ) throws(LocalClusterError) {
        if let named, !named.isEmpty {
            guard Self.isComplete(named) else { throw .serverMissingIn(named) }
            directory = named
            return
        }
        let path = Self.environment("PATH") ?? ""
        let debian = Self.debian()
        let all = debian.filter { Self.version($0) == version } + debian + path.split(separator: ":").map(String.init)
        guard let found = all.first(where: Self.isComplete) else { throw .serverMissing }
        directory = found
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func isComplete(_ directory: String) -> Bool {
        ["postgres", "initdb"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
    }

    /// The version that the path shows, or that the program tells in a file; nil if it tells none.
    func majorVersion(
        as account: ServerAccount, file: String, on loop: EventLoop
    ) async throws(LocalClusterError) -> Int? {
        if let version = Self.version(directory) { return version }
        unlink(file)
        let answer = try ServerLog(file)
        defer { unlink(file) }
        let child = try ChildProcess.spawn(account.command([postgres, "--version"]), output: answer.descriptor)
        guard await child.succeeds(on: loop, within: Self.patience) else { return nil }
        return Self.version(answer: ServerLog.tail(of: file))
    }

    private static let patience = Duration.seconds(10)

    var postgres: String { "\(directory)/postgres" }
    var initdb: String { "\(directory)/initdb" }
    var baseBackup: String { "\(directory)/pg_basebackup" }

    /// The newest version first.
    private static func debian() -> [String] {
        var matches = glob_t()
        defer { globfree(&matches) }
        guard glob("/usr/lib/postgresql/*/bin", 0, nil, &matches) == 0 else { return [] }
        let paths = (0..<Int(matches.gl_pathc)).compactMap { matches.gl_pathv[$0].map { String(cString: $0) } }
        return paths.sorted { version($0) ?? 0 > version($1) ?? 0 }
    }

    /// From `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
    static func version(answer: String) -> Int? {
        guard let number = answer.firstRange(of: "(PostgreSQL) ")?.upperBound else { return nil }
        return Int(answer[number...].prefix { $0.isWholeNumber })
    }

    /// From `/usr/lib/postgresql/15/bin` or `/usr/pgsql-15/bin`.
    static func version(_ path: String) -> Int? {
        let folder = path.split(separator: "/").dropLast().last?.split(separator: "-").last
        return folder.flatMap { Int($0) }.flatMap { (10...99).contains($0) ? $0 : nil }
    }
}
