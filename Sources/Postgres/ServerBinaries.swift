import Glibc

/// The directory with `postgres` and `initdb`: the one that BELFRY_POSTGRES_BIN names, otherwise the newest version of
/// Debian's packages, otherwise the first in PATH.
struct ServerBinaries {
    static let variable = "BELFRY_POSTGRES_BIN"

    let directory: String

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

    /// Nil when it does not show in the path.
    var majorVersion: Int? { Self.version(directory) }

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

    /// From `/usr/lib/postgresql/15/bin` or `/usr/pgsql-15/bin`.
    static func version(_ path: String) -> Int? {
        let folder = path.split(separator: "/").dropLast().last?.split(separator: "-").last
        return folder.flatMap { Int($0) }.flatMap { (10...99).contains($0) ? $0 : nil }
    }
}
