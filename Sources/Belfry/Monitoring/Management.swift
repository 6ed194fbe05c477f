import API
import Application
import ArgumentParser
import EventLoop
import FoundationEssentials
import HTTPServer
import HTTPTypes
import JSON
import Logging
import OpenMetrics
import Postgres
import ServiceLifecycle
import Store

/// Metrics and health checks for operators, on an address of its own. It has its own loop and sessions of PostgreSQL, so
/// that it answers while the others are busy.
struct Management: Service, CustomStringConvertible {
    let server: HTTPServer
    private let stores: Stores
    private let loops: EventLoopGroup

    var description: String { "management" }

    init(
        at address: SocketAddress, _ registry: MetricRegistry, _ database: Database, isStopping: Lock<Bool>,
        logger: Logger
    ) throws {
        loops = try EventLoopGroup(count: 1, name: "management")
        let stores = database.stores("management", on: loops.loops[0], logger: logger)
        self.stores = stores
        registry.add { await DatabaseSamples.read(stores) }
        registry.add { ProcessSamples.resources() }
        let facts = ProcessSamples.facts(
            version: Belfry.configuration.version, schema: Int(database.program.number),
            start: Date().timeIntervalSince1970)
        registry.add { facts }
        let readiness = ReadinessCheck(
            stores, program: database.program, isStopping: isStopping, on: loops.loops[0])
        var router = Router(logger: logger)
        router.add(.get, "/metrics") { request in
            let format = MetricFormat(accept: request.headers[.accept])
            let text = await registry.text(format)
            return Response(headers: [.contentType: format.contentType], body: .bytes(Array(text.utf8)))
        }
        router.add(.get, "/status") { _ in
            do {
                let status = SystemStatus(try await stores.status.facts(seenWithin: SystemStatus.lostAreListed))
                return Response(headers: [.contentType: "application/json"], body: .bytes(status.json.encoded()))
            } catch {
                logger.warning("status not known", metadata: ["reason": "\(error)"])
                return .text("The database can't be used. The log has the reason.\n", status: .serviceUnavailable)
            }
        }
        router.add(.get, "/healthz") { _ in .text("The process runs.\n") }
        router.add(.get, "/readyz") { _ in
            do {
                switch try await readiness.run() {
                case .ready: return .text("Ready.\n")
                case .stopping: return .text("The process is about to end.\n", status: .serviceUnavailable)
                case .otherSchema(let found, let required):
                    return .text(
                        "The database has schema version \(found), and this program needs \(required).\n",
                        status: .serviceUnavailable)
                }
            } catch {
                logger.warning("not ready", metadata: ["reason": "\(error)"])
                return .text("The database can't be used. The log has the reason.\n", status: .serviceUnavailable)
            }
        }
        do {
            server = try HTTPServer(
                configuration: ServerConfiguration(address: address), router: router, loops: loops, logger: logger)
        } catch {
            throw CommandFailure(
                "Can't listen on \(address): \(error). Choose another port with --management-port or BELFRY_MANAGEMENT_PORT."
            )
        }
    }

    func run() async throws {
        try await server.run()
        await stores.pool.close()
        loops.stop()
    }
}
