import HTTPTypes

extension Response {
    /// Returns this response with the requested range of a content of `size` bytes, or with the whole content
    /// (RFC 9110 §14). Set its ETag first. Throws `HTTPError` (416) if the range begins after the end.
    public func part(
        of size: Int, for request: Request, modified: String? = nil, _ body: (Range<Int>) -> Body
    ) throws(HTTPError) -> Response {
        var response = self
        response.headers[.acceptRanges] = "bytes"
        response.body = body(0..<size)
        guard let field = request.headers[.range], request.method == .get,
            Precondition.ifRangeMatches(request.headers, tag: headers[.eTag], modified: modified)
        else { return response }
        switch ByteRange(field, size: size) {
        case .ignored: return response
        case .satisfiable(let range):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            response.body = body(range)
            return response
        case .unsatisfiable:
            throw HTTPError(
                .rangeNotSatisfiable, code: "range_not_satisfiable",
                detail: "The range is not satisfiable: the file has \(size) bytes.",
                headers: [.contentRange: "bytes */\(size)"])
        }
    }
}
