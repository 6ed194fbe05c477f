import APNSSimulator
import Crypto
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Logging

/// What `belfry simulate --http-port` serves on the loopback address: the pushes that arrived, and the faults.
struct SimulatorInspection: Sendable {
    let log: Lock<PushLog>
    let simulator: SimulatorServer

    /// Bytes of a body with faults.
    private static let bodyLimit = 64 * 1024
    /// Entries in one answer; the next request asks for those after the last.
    private static let pageLimit = 500

    func server(port: UInt16, loops: EventLoopGroup, logger: Logger) throws -> HTTPServer {
        guard let address = SocketAddress(ip: "127.0.0.1", port: port) else {
            throw CommandFailure("The port \(port) can't be used. Choose another one for --http-port.")
        }
        return try HTTPServer(
            configuration: ServerConfiguration(address: address), router: router(logger), loops: loops, logger: logger)
    }

    private func router(_ logger: Logger) -> Router {
        var router = Router(logger: logger)
        router.add(.get, "/pushes") { request in try pushes(request) }
        router.add(.delete, "/pushes") { _ in
            log.withLock { $0.removeAll() }
            return Response(status: .noContent)
        }
        router.add(.get, "/faults") { _ in .json(Self.encoded(simulator.faults)) }
        router.add(.put, "/faults", bodyLimit: Self.bodyLimit) { request in
            simulator.faults = try SimulatorFaults.read(try await request.body.collect())
            return .json(Self.encoded(simulator.faults))
        }
        router.add(.delete, "/faults") { _ in
            simulator.faults = .none
            return Response(status: .noContent)
        }
        return router
    }

    private static func encoded(_ faults: Faults) -> [UInt8] {
        (["rules": .number(JSON.Number(faults.rules.count))] as JSON).encoded()
    }

    /// `token` names a device, `after` the last number that the test knows.
    private func pushes(_ request: Request) throws -> Response {
        var after = 0
        if let text = request.queryItems["after"] {
            guard let number = Int(text), number >= 0 else {
                throw HTTPError(
                    .badRequest, code: "invalid-after",
                    detail: "The parameter after must be a number of a push, like 12.")
            }
            after = number
        }
        let token = try request.queryItems["token"].map { digits in
            do throws(CryptoError) { return try Hex.decode(digits) } catch {
                throw HTTPError(
                    .badRequest, code: "invalid-token",
                    detail: "The parameter token must be hexadecimal digits, two for each byte.")
            }
        }
        let (entries, newest) = log.withLock { log in (log.entries(toToken: token, after: after), log.newest) }
        let page = entries.prefix(Self.pageLimit)
        // With a whole page, the next question begins behind it.
        let last = page.count == Self.pageLimit ? page.last?.number ?? newest : newest
        return .json(
            (["pushes": .array(page.map(\.json)), "last": .number(JSON.Number(last))] as JSON).encoded())
    }
}

extension PushLog.Entry {
    /// Apple's answer, the header fields by name, and the payload as an object; as text if it is no JSON.
    fileprivate var json: JSON {
        let payload: JSON = (try? JSON(parsing: push.payload)) ?? .string(String(decoding: push.payload, as: UTF8.self))
        return [
            "number": .number(JSON.Number(number)),
            "token_start": .string(push.tokenStart),
            "status": push.status.map { .number(JSON.Number($0)) } ?? .null,
            "reason": push.reason.map { .string($0) } ?? .null,
            "headers": .object(push.headers.map { JSON.Member($0.name, .string($0.value)) }),
            "payload": payload,
            "payload_bytes": .number(JSON.Number(push.payloadSize)),
            "warnings": .array(push.flags.names.map { .string($0) }),
        ]
    }
}
