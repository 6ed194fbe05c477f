import Campaigns
import HTTPServer
import HTTPTypes
import Store

/// The If-Match header: the version that the editor has read (RFC 9110 §13.1.1).
enum IfMatch: Equatable {
    case any
    case version(Int)

    /// Nil if the header is absent.
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
                "invalid-if-match", "If-Match must be the ETag of the resource, like \"3\", or *.",
                field: "If-Match")
        }
        self = .version(version)
    }

    /// The header of an edit that must not overwrite another edit; throws if it is absent.
    static func required(_ request: Request, of thing: String) throws(APIError) -> IfMatch {
        if let match = try IfMatch(request) { return match }
        throw APIError(
            .preconditionRequired, "if-match-required",
            "Send the \(thing)'s ETag as If-Match, so that no edit is lost.", field: "If-Match")
    }

    /// Nil means any version.
    var version: Int? { if case .version(let seen) = self { seen } else { nil } }

    func check(_ current: Int) throws(Refusal) {
        guard case .version(let seen) = self, seen != current else { return }
        throw .versionConflict(current: current)
    }
}
