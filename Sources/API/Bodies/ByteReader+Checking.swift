import JSON

extension ByteReader {
    /// Runs `read`, and throws its problems or its syntax error as an `APIError`.
    static func checking<Body>(
        _ read: () throws(Malformed) -> (body: Body, problems: [Problem])
    ) throws(APIError) -> Body {
        let result: (body: Body, problems: [Problem])
        do throws(Malformed) {
            result = try read()
        } catch {
            throw .invalidJSON(error.located)
        }
        guard result.problems.isEmpty else { throw APIError(problems: result.problems) }
        return result.body
    }
}
