import HTTPTypes
import JSON

/// Bodies and headers that can't be used, and names of parameters.
extension APIError {
    static func invalidJSON(_ reason: Message) -> APIError {
        badRequest("invalid-json", "The body is not JSON: \(reason).")
    }

    static func notAnObject(_ json: JSON) -> APIError {
        badRequest("not-an-object", "The body must be a JSON object, not \(json.summary).")
    }

    static let unexpectedBody = badRequest("unexpected-body", "This request must not have a body.")

    static let notSentAsJSON = APIError(
        .unsupportedMediaType, "unsupported-media-type", "The body must be sent as application/json.")

    /// PostgreSQL's text can't contain U+0000.
    static let invalidText = badRequest(
        "invalid-text", "The request contains the character U+0000, which can't be stored. Remove it.")

    static func unknownParameter(_ name: String, hint: Message) -> APIError {
        badRequest("unknown-parameter", "Unknown query parameter \(name). \(hint)", field: name)
    }

    static func repeatedParameter(_ name: String) -> APIError {
        badRequest(
            "repeated-parameter", "The query parameter \(name) is given more than once. Send it once.", field: name)
    }

    /// `reason` continues the sentence "The parameter …".
    static func invalidParameter(_ name: String, code: String, _ reason: Message) -> APIError {
        badRequest(code, "The parameter \(name) \(reason).", field: name)
    }

    static let invalidIfMatch = badRequest(
        "invalid-if-match",
        "If-Match must be one ETag of the resource, in quotation marks like \"3\", or *. Send the ETag that you received.",
        field: "If-Match")

    static func ifMatchRequired(of thing: String) -> APIError {
        APIError(
            .preconditionRequired, "if-match-required",
            "Send the \(thing)'s ETag as If-Match, so that no edit is lost.", field: "If-Match")
    }

    static func invalidIdempotencyKey(maximumLength: Int) -> APIError {
        badRequest(
            "invalid-idempotency-key",
            "The Idempotency-Key must be 1 to \(maximumLength) printable ASCII characters.", field: "Idempotency-Key")
    }

    /// `location` is the path of what the first request created.
    static func secretShownOnce(_ location: String?) -> APIError {
        let made: Message = location.map { "It created \($0). " } ?? ""
        var refusal = conflict(
            "secret-shown-once",
            "The first request with this Idempotency-Key was carried out. \(made)Its answer held a secret, which is shown "
                + "once and not stored. If you don't have it, make a new one with a new Idempotency-Key.",
            field: "Idempotency-Key")
        refusal.headers[.location] = location
        return refusal
    }
}
