import API
import EventLoop
import HTTPServer
import Logging
import Postgres
import Store
import TLS

/// Opens the database, and waits for the server that DATABASE_URL names while it does not answer or accepts no writes.
struct DatabaseWait {
    /// The time between two attempts.
    private static let pause = Duration.seconds(1)

    let settings: Settings
    let logger: Logger

    /// Meanwhile, a web server answers on the address of the settings if `serving`, with `tls` or without.
    func open(on loop: EventLoop, serving: Bool = false, tls: TLSContext? = nil) async throws -> Database {
        do {
            return try await Database.open(settings, on: loop, logger: logger)
        } catch let error as PostgresError where isWorthWaiting(error) {
            let reason = Lock(error)
            logger.warning("waiting for the database", metadata: ["reason": "\(error)"])
            guard serving else { return try await retry(on: loop, reason) }
            return try await answering(reason, tls) { try await retry(on: loop, reason) }
        }
    }

    /// Without DATABASE_URL, Belfry's own server has just been started: a failure is no outage.
    private func isWorthWaiting(_ error: PostgresError) -> Bool {
        settings.databaseURL != nil && error.isUnavailable
    }

    private func retry(on loop: EventLoop, _ reason: borrowing Lock<PostgresError>) async throws -> Database {
        while true {
            try await loop.sleep(for: Self.pause)
            do {
                let database = try await Database.open(settings, on: loop, logger: logger)
                logger.notice("the database is there")
                return database
            } catch let error as PostgresError where isWorthWaiting(error) {
                reason.withLock { $0 = error }
                logger.debug("still waiting for the database", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Runs the body while a server answers each request with 503.
    private func answering(
        _ reason: Lock<PostgresError>, _ tls: TLSContext?, _ body: () async throws -> Database
    ) async throws -> Database {
        let loops = try EventLoopGroup(count: 1, name: "waiting")
        defer { loops.stop() }
        let router = UnavailableAPI.router(reason: { reason.withLock { $0 } }, logger: logger)
        let servers = try Services.listen(settings, router, devices: router, loops: loops, tls: tls, logger: logger)
        logger.info("answering with 503 meanwhile", metadata: ["url": "\(servers[0].address)"])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { try await server.run() } }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}
