import EventLoop
import Glibc

/// Rules for connections to the private server: the kernel tells it which account of the machine a client runs as, and
/// only Belfry's own accounts can be Belfry's role. Other roles need their password, and do not get into the server's own
/// databases: there, nothing takes from them what PostgreSQL allows everybody.
extension LocalCluster {
    /// The role for people who may be Belfry's role as well, and want to change nothing.
    static let reader = "belfry_reader"

    private var rules: String { "\(directory)/pg_hba.conf" }
    private var accounts: String { "\(directory)/pg_ident.conf" }

    /// The server's settings that name the files.
    var authenticationArguments: [String] { ["-c", "hba_file=\(rules)", "-c", "ident_file=\(accounts)"] }

    /// Writes the files, before each start. The server's account writes them: root must not follow what it finds there.
    func writeAuthentication() async throws {
        try await write(
            """
            # Belfry writes this file when it starts the server.
            local all \(Self.user) peer map=belfry
            local replication \(Self.user) peer map=belfry
            local postgres,template1 all reject
            host postgres,template1 all all reject
            local all \(Self.reader) peer map=belfry
            local all all scram-sha-256
            host all all all scram-sha-256

            """, to: rules)
        var names = [account.name, "root"]
        if let own = getpwuid(geteuid()) { names.append(String(cString: own.pointee.pw_name)) }
        let lines = Set(names).sorted().flatMap { name in
            [Self.user, Self.reader].map { "belfry \"\(name)\" \($0)\n" }
        }
        try await write("# Belfry writes this file when it starts the server.\n" + lines.joined(), to: accounts)
    }

    private func write(_ text: String, to path: String) async throws {
        // A new file takes the name of the old one, so that a server never reads a part.
        let command = ["sh", "-c", #"umask 077 && printf %s "$1" > "$2.new" && mv -f "$2.new" "$2""#, "sh", text, path]
        let child = try ChildProcess.spawn(account.command(command))
        guard await child.succeeds(on: loop, within: options.startTimeout) else {
            throw LocalClusterError.cannotPrepare(directory: path, reason: "it could not be written")
        }
    }
}
