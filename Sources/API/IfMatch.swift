import Campaigns
import HTTPServer
import HTTPTypes
import Store

/// The version that an editor has seen (RFC 9110 §13.1.1).
enum IfMatch: Equatable {
    case any
    case version(Int)

    /// Nil when there is no such header.
    init?(_ request: Request) throws(APIError) {
        guard let field = request.headers[.ifMatch] else { return nil }
        if field == "*" {
            self = .any
            return
        }
        guard field.count > 2, field.hasPrefix("\""), field.hasSuffix("\""),
            let version = Int(field.dropFirst().dropLast())
        else {
            throw .badRequest(
                "invalid-if-match", "If-Match must be the ETag that the object came with, like \"3\", or *.",
                field: "If-Match")
        }
        self = .version(version)
    }

    /// For edits that must not go over another's.
    static func required(_ request: Request, of thing: String) throws(APIError) -> IfMatch {
        if let match = try IfMatch(request) { return match }
        throw APIError(
            .preconditionRequired, "if-match-required",
            "Send the \(thing)'s ETag as If-Match, so that nobody's edit is lost.", field: "If-Match")
    }

    /// Nil: any will do.
    var version: Int? { if case .version(let seen) = self { seen } else { nil } }

    func check(_ current: Int) throws(Refusal) {
        guard case .version(let seen) = self, seen != current else { return }
        throw .versionConflict(current: current)
    }
}
