import Logging
import Postgres
import PrivatePostgres

/// The temporary PostgreSQL of a chaos run, and with `hasStandby` one that has each commit before it is confirmed.
struct ChaosDatabase: Sendable {
    let primary: LocalCluster
    let standby: LocalCluster?

    /// The connection string for whichever server accepts writes.
    var url: String { standby.map { primary.url(with: $0) } ?? primary.url }

    static func start(in folder: String, hasStandby: Bool, isQuick: Bool, logger: Logger) async throws -> ChaosDatabase
    {
        var options = LocalCluster.Options()
        options.fsync = !isQuick
        let primary = try await LocalCluster.start(directory: "\(folder)/postgres", options: options, logger: logger)
        guard hasStandby else { return ChaosDatabase(primary: primary, standby: nil) }
        do {
            let standby = try await primary.startStandby(directory: "\(folder)/standby")
            let database = ChaosDatabase(primary: primary, standby: standby)
            do {
                try await primary.makeSynchronous()
            } catch {
                await standby.stopImmediately()
                throw error
            }
            return database
        } catch {
            await primary.stopImmediately()
            throw error
        }
    }

    func stop(immediately: Bool) async {
        for server in [primary, standby].compactMap(\.self) {
            if immediately { await server.stopImmediately() } else { await server.stop() }
        }
    }

    /// Kills the primary. It starts again by itself if there is no standby to take over.
    func kill() async {
        primary.killServer()
        if standby != nil { await primary.stopImmediately() }
    }
}
