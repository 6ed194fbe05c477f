import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests. `URLSessionTransport` does so in an app; tests have their own.
public protocol Transport: Sendable {
    /// Never throws: without an answer, the reason is the result.
    func send(_ request: URLRequest) async -> TransportResult
}

/// The result of a request.
public enum TransportResult: Sendable {
    /// The server answered, with any status.
    case answer(Answer)
    /// There was no answer. The text is the system's, for the log.
    case failed(String)

    /// A response of HTTP.
    public struct Answer: Sendable {
        /// Of HTTP, like 200.
        public let status: Int
        /// Names in lower case.
        public let headers: [String: String]
        /// Empty for 304.
        public let body: Data

        /// For transports of your own, and for tests. Names of headers are in small letters.
        public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }
}

extension TransportResult.Answer {
    /// The body; nil if it is no JSON, like the page of a proxy.
    var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: body) }

    /// The server's code of an error, RFC 9457; nil if the answer has none.
    public var code: String? { json?["code"]?.string }

    /// The members of an error that a diagnostic has.
    func diagnostic(_ kind: Diagnostic.Kind) -> Diagnostic {
        let problem = json
        return Diagnostic(
            kind, problem?["code"]?.string ?? "status-\(status)",
            problem?["detail"]?.string ?? "The server answered with status \(status).")
    }

    var outcome: RetryPolicy.Outcome { .status(status, retryAfter: headers["retry-after"]) }
}
