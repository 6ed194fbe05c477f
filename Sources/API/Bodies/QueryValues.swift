import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Notifications

extension Request {
    /// A language tag as Apple or BCP 47 spells it; nil when none was sent.
    func locale(_ name: String = "locale") throws(APIError) -> LocaleTag? {
        guard let text = queryItems[name] else { return nil }
        do throws(InvalidValue) {
            return try LocaleTag(text)
        } catch {
            throw .badRequest(error.code, "The parameter \(name) \(error.message).", field: name)
        }
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, otherwise standard: Choice
    ) throws(APIError) -> Choice {
        guard let text = queryItems[name] else { return standard }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("invalid-\(name)", "The parameter \(name) must be one of \(words).", field: name)
        }
        return choice
    }
}

extension Response {
    /// Bytes of the hash that make an ETag.
    private static let tagLength = 16

    /// With an ETag of the content; 304 when the request's sender has it.
    static func json(_ json: JSON, unlessHeldBy request: Request) -> Response {
        var response = Response.json(json.encoded())
        guard case .bytes(let bytes) = response.body else { return response }
        let tag = "\"\(Hex.encode(SHA256.hash(bytes).prefix(tagLength)))\""
        response.headers[.eTag] = tag
        // A shared cache must not hand it to others, and the app asks each time.
        response.headers[.cacheControl] = "private, no-cache"
        guard Precondition.isUnchanged(request.headers, tag: tag) else { return response }
        response.status = .notModified
        response.body = .none
        return response
    }
}
