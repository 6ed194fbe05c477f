import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import Store

/// Turns every error into a response; no other code does. An unexpected error becomes a 500 with the request's id, and
/// its details go to the log only.
struct ErrorRendering: Sendable {
    /// Seconds until an unavailable database may be available again.
    static let retryAfterSeconds = 2

    let logger: Logger

    func response(to error: any Error, _ request: Request?) -> Response {
        let refusal = Self.refusal(for: error) ?? unexpected(error, request)
        var members: [JSON.Member] = [
            JSON.Member("type", "about:blank"),
            JSON.Member("title", .string(refusal.status.reasonPhrase)),
            JSON.Member("status", .number(JSON.Number(refusal.status.code))),
            JSON.Member("code", .string(refusal.code)),
        ]
        members += refusal.detail.members("detail")
        if let field = refusal.field { members.append(JSON.Member("field", .string(field))) }
        if !refusal.problems.isEmpty {
            members.append(JSON.Member("problems", .array(refusal.problems.map(\.json))))
        }
        if let request { members.append(JSON.Member("request_id", .string(request.id))) }
        var headers = refusal.headers
        headers[.contentType] = "application/problem+json"
        if refusal.status == .tooManyRequests, let field = HTTPField.Name.rateLimit, headers[field] == nil,
            let wait = headers[.retryAfter]
        {
            headers[field] = "\"\(refusal.code)\";r=0;t=\(wait)"
        }
        return Response(status: refusal.status, headers: headers, body: .bytes(JSON.object(members).encoded()))
    }

    private func unexpected(_ error: any Error, _ request: Request?) -> APIError {
        logger.error(
            "request failed",
            metadata: Request.logFields(of: request, ["error": "\(error)"]))
        return .internalError
    }

    /// Nil for an unexpected error.
    static func refusal(for error: any Error) -> APIError? {
        switch error {
        case let error as APIError: error
        case let error as HTTPError: APIError(error)
        case let error as Refusal: APIError(error)
        case let error as Problems: APIError(problems: error.problems)
        case let error as PostgresError: APIError(error)
        case let error as SystemError where error.isOutOfDescriptors: APIError(HTTPError.outOfDescriptors)
        default: nil
        }
    }
}

extension HTTPError {
    fileprivate var message: Message {
        limit.map { "The body must not be larger than \($0) bytes." } ?? Message(sentence: detail)
    }
}

extension APIError {
    /// HTTPServer writes its codes with underscores.
    fileprivate init(_ error: HTTPError) {
        self.init(error.status, String(error.code.map { $0 == "_" ? "-" : $0 }), error.message)
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
            case .forbidden: .forbidden
            case .limited: .tooManyRequests
            case .busy: .serviceUnavailable
            }
        self.init(status, refusal.code, refusal.message, field: refusal.field)
        switch refusal.kind {
        case .busy: headers[.retryAfter] = String(ErrorRendering.retryAfterSeconds)
        case .limited(let seconds): headers[.retryAfter] = String(seconds)
        default: break
        }
    }

    fileprivate init?(_ error: PostgresError) {
        if error.isUnavailable || error.kind == .poolExhausted || error.kind == .connectFailed {
            if error.kind == .connectionLost(duringCommit: true) {
                self = .commitLost
            } else {
                self = error.isOnlyReadable ? .databaseOnlyReadable : .databaseUnavailable
            }
        } else if error.sqlState == "22021" {
            self = .invalidText
        } else {
            return nil
        }
    }
}

extension Problem {
    var json: JSON {
        let members =
            [JSON.Member("path", .string(path)), JSON.Member("code", .string(code))] + message.members("message")
            + [JSON.Member("severity", .string(severity.rawValue))]
        guard let fix else { return .object(members) }
        return .object(members + [JSON.Member("fix", ["from": .string(fix.from), "to": .string(fix.to)])])
    }
}
