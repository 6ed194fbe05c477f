import HTTPTypes

extension Response {
    /// This answer with the part of a content of `size` bytes that the request asks for, or with all of it
    /// (RFC 9110 §14). Its ETag is set before. Throws `HTTPError` (416) when the range lies beyond the end.
    public func part(
        of size: Int, for request: Request, modified: String? = nil, _ body: (Range<Int>) -> Body
    ) throws(HTTPError) -> Response {
        var response = self
        response.headers[.acceptRanges] = "bytes"
        response.body = body(0..<size)
        guard let field = request.headers[.range], request.method == .get,
            Precondition.rangeHolds(request.headers, tag: headers[.eTag], modified: modified)
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
                .rangeNotSatisfiable, code: "range_not_satisfiable", detail: "The file has \(size) bytes.",
                headers: [.contentRange: "bytes */\(size)"])
        }
    }
}
