import HTTPTypes

/// The default rendering of an error: `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `code` and
/// `detail`.
public enum ProblemDocument {
    @Sendable
    public static func render(_ error: HTTPError, _ request: Request?) -> Response {
        var headers = error.headers
        headers[.contentType] = "application/problem+json"
        let text = """
            {"type":"about:blank","title":\(quoted(error.status.reasonPhrase)),"status":\(error.status.code),\
            "code":\(quoted(error.code)),"detail":\(quoted(error.detail))}
            """
        return Response(status: error.status, headers: headers, body: .bytes(Array(text.utf8)))
    }

    /// A JSON string with its quotation marks (RFC 8259 §7).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
