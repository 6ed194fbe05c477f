import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import Store

/// The only place where an error becomes a status. What is not known becomes a 500 that names the request; its
/// detail is for the log.
struct ErrorRendering: Sendable {
    /// Seconds until a database that is away may be back.
    static let retryAfterSeconds = 2

    let logger: Logger

    func response(to error: any Error, _ request: Request?) -> Response {
        let refusal = Self.refusal(for: error) ?? unexpected(error, request)
        var members: [JSON.Member] = [
            JSON.Member("type", "about:blank"),
            JSON.Member("title", .string(refusal.status.reasonPhrase)),
            JSON.Member("status", .number(JSON.Number(refusal.status.code))),
            JSON.Member("code", .string(refusal.code)),
            JSON.Member("detail", .string(refusal.detail)),
        ]
        if let field = refusal.field { members.append(JSON.Member("field", .string(field))) }
        if !refusal.problems.isEmpty {
            members.append(JSON.Member("problems", .array(refusal.problems.map(\.json))))
        }
        if let request { members.append(JSON.Member("request_id", .string(request.id))) }
        var headers = refusal.headers
        headers[.contentType] = "application/problem+json"
        return Response(status: refusal.status, headers: headers, body: .bytes(JSON.object(members).encoded()))
    }

    private func unexpected(_ error: any Error, _ request: Request?) -> APIError {
        logger.error(
            "a request failed",
            metadata: [
                "request": "\(request?.id ?? "none")", "route": "\(request?.route ?? "none")", "error": "\(error)",
            ])
        return APIError(
            .internalServerError, "internal-error",
            "Something went wrong here. The log has the details under the request's id.")
    }

    /// Nil for what nobody expects.
    private static func refusal(for error: any Error) -> APIError? {
        switch error {
        case let error as APIError: error
        case let error as HTTPError: APIError(error)
        case let error as Refusal: APIError(error)
        case let error as Problems: APIError(problems: error.problems)
        case let error as PostgresError: APIError(error)
        default: nil
        }
    }
}

extension APIError {
    /// The server below writes its codes with underscores.
    fileprivate init(_ error: HTTPError) {
        self.init(error.status, String(error.code.map { $0 == "_" ? "-" : $0 }), error.detail)
        headers = error.headers
    }

    fileprivate init(_ refusal: Refusal) {
        let status: HTTPResponse.Status =
            switch refusal.kind {
            case .notFound: .notFound
            case .conflict: .conflict
            case .outdated: .preconditionFailed
            case .invalid: .unprocessableContent
            case .tooLarge: .contentTooLarge
            }
        self.init(status, refusal.code, refusal.message, field: refusal.field)
    }

    fileprivate init?(_ error: PostgresError) {
        if error.isUnavailable || error.kind == .poolExhausted || error.kind == .connectFailed {
            self = .unavailable(
                "database-unavailable", "The database can't be reached at the moment. Nothing was stored; try again.",
                retryAfter: ErrorRendering.retryAfterSeconds)
            if error.kind == .connectionLost(duringCommit: true) {
                detail =
                    "The connection to the database was lost while this was being stored, so it may be stored or not. Check before you repeat it."
            }
        } else if error.sqlState == "22021" {
            // PostgreSQL's text cannot hold U+0000.
            self = .badRequest("invalid-text", "A text in the request contains a character that can't be stored.")
        } else {
            return nil
        }
    }
}

extension Problem {
    var json: JSON {
        [
            "path": .string(path), "code": .string(code), "message": .string(message),
            "severity": .string(severity.rawValue),
        ]
    }
}
