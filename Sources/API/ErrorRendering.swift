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

    private func unexpected(_ error: any Error, _ request: Request?) -> Refusal {
        logger.error(
            "a request failed",
            metadata: [
                "request": "\(request?.id ?? "none")", "route": "\(request?.route ?? "none")", "error": "\(error)",
            ])
        return Refusal(
            .internalServerError, "internal-error",
            "Something went wrong here. The log has the details under the request's id.")
    }

    /// Nil for what nobody expects.
    private static func refusal(for error: any Error) -> Refusal? {
        switch error {
        case let error as Refusal: error
        case let error as HTTPError: Refusal(error)
        case let error as StoreRefusal: Refusal(error)
        case let error as Problems: Refusal(problems: error.problems)
        case let error as MediaRefusal: Refusal(error)
        case let error as MoveRefused: .conflict("move-refused", error.description)
        case let error as RunMoveRefused: .conflict("move-refused", error.description)
        case let error as PostgresError: Refusal(error)
        default: nil
        }
    }
}

extension Refusal {
    /// The server below writes its codes with underscores.
    fileprivate init(_ error: HTTPError) {
        self.init(error.status, String(error.code.map { $0 == "_" ? "-" : $0 }), error.detail)
        headers = error.headers
    }

    fileprivate init(_ refusal: StoreRefusal) {
        let words = refusal.description
        self =
            switch refusal {
            case .notFound(let resource): Refusal(.notFound, "\(resource.rawValue)-not-found", words)
            case .versionConflict: Refusal(.preconditionFailed, "version-conflict", words)
            case .messageIDKeyTaken: .conflict("message-id-key-taken", words, field: "message_id_key")
            case .bundleIDTaken: .conflict("bundle-id-taken", words, field: "bundle_id")
            case .keyIDTaken: .conflict("key-id-taken", words, field: "key_id")
            case .unknownTimeZone:
                Refusal(.unprocessableContent, "unknown-time-zone", words, field: "default_time_zone")
            case .appIsSending: .conflict("app-is-sending", words)
            case .notADraft: .conflict("not-a-draft", words)
            case .topicKeyTaken: .conflict("topic-key-taken", words, field: "key")
            case .tooManyTopics: .conflict("too-many-topics", words)
            case .topicInUse: .conflict("topic-in-use", words)
            case .unknownTopic: Refusal(.unprocessableContent, "unknown-topic", words, field: "topic")
            case .categoryIdentifierTaken: .conflict("category-identifier-taken", words, field: "identifier")
            case .tooMany(let resource, _): .conflict("too-many-\(resource.rawValue)", words)
            case .mediaInUse: .conflict("media-in-use", words)
            case .noSchedule: Refusal(.unprocessableContent, "schedule-missing", words, field: "schedule")
            case .schedulePast: Refusal(.unprocessableContent, "schedule-past", words, field: "schedule")
            case .repeats: .conflict("campaign-repeats", words)
            case .waitsForCalls: .conflict("campaign-triggered", words)
            case .notTriggered: .conflict("not-triggered", words)
            case .idempotencyKeyInUse:
                Refusal(.unprocessableContent, "idempotency-key-in-use", words, field: "Idempotency-Key")
            case .nobodyMatches: .conflict("nobody-matches", words)
            case .hasBegun: .conflict("campaign-has-begun", words)
            case .noCredential: .conflict("no-credential", words)
            case .hasRuns: .conflict("has-runs", words)
            case .runIsOver: .conflict("run-is-over", words)
            case .campaignIsActive: .conflict("campaign-active", words)
            case .templateArchived: .conflict("template-archived", words)
            case .segmentArchived: .conflict("segment-archived", words)
            case .campaignArchived: .conflict("campaign-archived", words)
            case .segmentInUse: .conflict("segment-in-use", words)
            case .constraint: .conflict("constraint-violated", words)
            }
    }

    fileprivate init(_ refusal: MediaRefusal) {
        self =
            switch refusal {
            case .unsupported(let reason): Refusal(.unprocessableContent, reason.code, "The file \(reason.message).")
            case .tooLarge(let type):
                Refusal(
                    .contentTooLarge, "media-too-large",
                    "The file is \(type.rawValue.uppercased()) and must be at most \(type.maximumSize / 1_000_000) MB: "
                        + "iOS shows no larger \(type.kind.rawValue).")
            }
    }

    fileprivate init?(_ error: PostgresError) {
        if error.isUnavailable || error.kind == .poolExhausted || error.kind == .connectFailed {
            self = .unavailable(
                "database-away", "The database cannot be reached at the moment. Nothing was stored; please try again.",
                retryAfter: ErrorRendering.retryAfterSeconds)
            if error.kind == .connectionLost(duringCommit: true) {
                detail = "The database went away while this was being stored, and it may have been. Please look first."
            }
        } else if error.sqlState == "22021" {
            // PostgreSQL's text cannot hold U+0000.
            self = .badRequest("invalid-text", "A text in the request holds a character that cannot be stored.")
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
