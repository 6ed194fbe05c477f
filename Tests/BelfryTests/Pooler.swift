import EventLoop
import Foundation
import TestSupport
import Testing

/// A PgBouncer in front of a cluster, which has fewer sessions than Belfry has connections.
struct Pooler {
    private static let program = "/usr/sbin/pgbouncer"

    let process: BelfryProcess
    private let port: UInt16

    /// `mode` is PgBouncer's `pool_mode`. PostgreSQL listens in the folder `sockets`.
    init(mode: String, before sockets: String, in folder: URL, on loop: EventLoop) async throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.program),
            "PgBouncer is not installed; run Scripts/bootstrap test")
        port = try ServeFixture.freePort()
        let settings = """
            [databases]
            * = host=\(sockets) user=belfry
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = 4
            """
        let file = folder.appending(path: "pgbouncer-\(port).ini")
        try Data(settings.utf8).write(to: file)
        // It refuses to run as root, and only the account of PostgreSQL may connect to it.
        let account =
            geteuid() == 0
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=KILL", "--"] : []
        process = try await BelfryProcess(
            [file.path], program: account + [Self.program], in: folder, capturesErrors: true)
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
        try await withTaskExecutorPreference(loop) { try await ServeFixture.waitUntilUp(address, on: loop) }
    }

    func url(database: String = "belfry", parameters: String = "") -> String {
        "postgres://belfry@127.0.0.1:\(port)/\(database)\(parameters)"
    }

    func stop() async throws {
        process.send(SIGKILL)
        _ = try await process.ending()
    }
}
