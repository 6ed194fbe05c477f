import Glibc

/// The directory with `postgres` and `initdb`: the newest version of Debian's packages, otherwise the first in PATH.
struct ServerBinaries {
    let directory: String

    /// If `version` of Debian's packages is installed, it goes before newer ones: it wrote the data.
    init(preferring version: Int?) throws(LocalClusterError) {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let debian = Self.debian()
        let found =
            (debian.filter { Self.version($0) == version } + debian + path.split(separator: ":").map(String.init)).first
        { directory in
            ["postgres", "initdb"].allSatisfy { access("\(directory)/\($0)", X_OK) == 0 }
        }
        guard let found else { throw .serverMissing }
        directory = found
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

    /// From `/usr/lib/postgresql/15/bin`.
    private static func version(_ path: String) -> Int? {
        path.split(separator: "/").dropLast().last.flatMap { Int($0) }
    }
}
