import HTTPServer
import HTTPTypes
import JSON
import Postgres

extension ObjectReader {
    /// Reads the body of a request, a JSON object. `finish()` reports its unknown members.
    ///
    /// Throws for another content type (415) and for a body that is not a JSON object (400, with the offset). `limit`
    /// is the maximum size in bytes.
    init(_ request: Request, upTo limit: Int = .max) async throws {
        self.init(try await Self.members(of: request, upTo: limit))
    }

    /// Reads a body that was already received and whose content type was checked.
    init(body: [UInt8]) throws {
        self.init(try Self.members(of: body))
    }

    /// The members of a body, for callers that don't use an `ObjectReader`.
    static func members(of request: Request, upTo limit: Int = .max) async throws -> [JSON.Member] {
        try Self.checkContentType(request)
        return try members(of: try await request.body.collect(upTo: limit))
    }

    /// Untyped `throws`, because the optimizer crashes on typed throws inside a handler's closure.
    private static func members(of body: [UInt8]) throws -> [JSON.Member] {
        let json: JSON
        do throws(JSON.SyntaxError) {
            json = try JSON(parsing: body)
        } catch {
            throw APIError.invalidJSON(error.located)
        }
        guard case .object(let members) = json else {
            throw APIError.notAnObject(json)
        }
        return members
    }

    /// Throws if a request that takes no body has one. Some clients send `{}`, which is accepted.
    static func refuseBody(_ request: Request) async throws {
        let bytes = try await request.body.collect()
        guard bytes.isEmpty || bytes == Array("{}".utf8) else {
            throw APIError.unexpectedBody
        }
    }

    static func checkContentType(_ request: Request) throws(APIError) {
        let field = request.headers.value(.contentType) ?? ""
        if field == "application/json" { return }
        let type = field.prefix { $0 != ";" }.lowercased()
        guard type.filter({ $0 != " " }) == "application/json" else {
            throw APIError.notSentAsJSON
        }
    }

    mutating func time(_ key: String) -> Timestamp? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, let time = Timestamp(rfc3339: text) else {
            wrongType(key, "a time like 2026-11-21T10:00:00Z", value)
            return nil
        }
        return time
    }

    /// Throws if any member is invalid or unknown.
    mutating func finish() throws(APIError) {
        refuseRest()
        guard isValid else { throw APIError(problems: problems) }
    }
}
