import Campaigns
import HTTPServer
import HTTPTypes
import Store

/// The If-Match header: the version that the client has read (RFC 9110 §13.1.1).
///
/// An ETag is "VERSION-HASH": only the version is compared, so a change that a person did not make, such as a counter,
/// is no conflict. Weak tags (W/"3-…", made by proxies that compress) and tags without a hash are accepted, too.
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
        let tag = field.hasPrefix("W/") ? field.dropFirst(2) : field[...]
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            let version = Int(tag.dropFirst().dropLast().prefix { $0 != "-" })
        else {
            throw .invalidIfMatch
        }
        self = .version(version)
    }

    /// The header of an edit that must not overwrite another edit; throws if it is absent.
    static func required(_ request: Request, of thing: String) throws(APIError) -> IfMatch {
        if let match = try IfMatch(request) { return match }
        throw APIError.ifMatchRequired(of: thing)
    }

    /// Nil means any version.
    var version: Int? { if case .version(let seen) = self { seen } else { nil } }

    func check(_ current: Int) throws(Refusal) {
        guard case .version(let seen) = self, seen != current else { return }
        throw .versionConflict(current: current)
    }
}

extension AppCall {
    /// The version that If-Match requires; nil without the header, and for any version.
    var expectedVersion: Int? {
        get throws(APIError) { try IfMatch(request)?.version }
    }
}

extension Request {
    /// Checks the If-Match of a resource that can't be edited, and so always is at version 1.
    func checkImmutable() throws {
        try IfMatch(self)?.check(1)
    }
}
