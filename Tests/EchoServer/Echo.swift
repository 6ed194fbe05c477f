import EventLoop
import HTTPServer
import HTTPTypes
import Logging

/// Answers every request with what the server saw: `METHOD TARGET` or `METHOD TARGET BODY` in the field `Seen`, the
/// body percent-encoded.
struct Echo: Middleware {
    static let seen = HTTPField.Name("Seen")
    static let refused = HTTPField.Name("Refused")

    /// Called with `seen PORT METHOD TARGET BODY` for each request, `incomplete PORT METHOD TARGET` if its body can't be
    /// read, and `refused CODE` for bytes that are no request. The port is the client's.
    let log: @Sendable (String) -> Void

    /// A router that answers all requests, and refusals with their codes in the field `Refused`.
    static func router(log: @escaping @Sendable (String) -> Void = { _ in }) -> Router {
        let quiet = Logger(label: "echo") { _ in SwiftLogNoOpLogHandler() }
        var router = Router(logger: quiet) { error, request in
            if request == nil { log("refused \(error.code)") }
            var headers = error.headers
            if let refused { headers[refused] = error.code }
            return Response(status: error.status, headers: headers)
        }
        router.add(Echo(log: log))
        return router
    }

    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        let start = "\(request.method.rawValue) \(request.head.path ?? "")"
        let port = request.remoteAddress.port ?? 0
        let body: [UInt8]
        do {
            body = try await request.body.collect()
        } catch {
            log("incomplete \(port) \(start)")
            throw error
        }
        let text = body.isEmpty ? start : "\(start) \(Self.encoded(body))"
        log("seen \(port) \(text)")
        var response = Response.text("seen\n")
        if let seen = Self.seen { response.headers[seen] = text }
        return response
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber { return String(character) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
