import BelfryCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server in memory for the tests of an app: it answers each request, and keeps what was asked.
///
///     let server = RecordingServer()
///     let client = Client(
///         configuration: configuration, folder: folder, installations: MemoryInstallation(), transport: server)
///     …
///     #expect(server.events == ["opened of m1"])
public final class RecordingServer: Transport {
    /// A request as a test looks at it.
    public struct Request: Sendable {
        /// Like `PUT`.
        public let method: String
        /// Behind the app's address, like `devices/8E4C0F6B`.
        public let path: String
        /// The query, with its percent signs.
        public let query: String?
        /// Null if there is no body.
        public let body: JSONValue
        /// The key, as `Bearer bfp_…`.
        public let authorization: String?
        /// The tag of `If-None-Match`.
        public let tag: String?

        /// Method and path, like `PUT devices/8E4C0F6B`.
        public var words: String { "\(method) \(path)" }

        /// A member of the body.
        public subscript(_ member: String) -> JSONValue? { body.object?[member] }
    }

    /// The answer to a request, which also learns the number of requests before it. It may wait.
    public typealias Answer = @Sendable (_ request: Request, _ number: Int) async -> TransportResult

    private let answer: Answer
    private let seen = Guarded<[Request]>([])

    /// A server that answers by the closure.
    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// A server that takes everything, has no categories and no plans, and answers the named paths with these bodies.
    public convenience init(_ bodies: [String: String] = [:]) {
        let known = [
            "client-configuration": """
            {"message_id_key": "i", "attachment_url_key": "attachment-url", "attachment_type_key": "attachment-type",
             "revisions": {"categories": "1", "local_plans": "1"}}
            """,
            "categories/registration": #"{"categories": []}"#,
            "local-plans/scheduled": #"{"notifications": [], "omitted_count": 0}"#,
        ].merging(bodies) { $1 }
        self.init { request, _ in .ok(known[request.path] ?? "{}") }
    }

    /// All requests, in their order.
    public var requests: [Request] { seen.withLock { $0 } }

    /// All requests in a few words.
    public var words: [String] { requests.map(\.words) }

    /// The requests whose words begin so.
    public func requests(_ beginning: String) -> [Request] { requests.filter { $0.words.hasPrefix(beginning) } }

    /// The events of all requests, like `opened of` and the message id, or the identifier of a local notification; those of
    /// the app's own are like `tracked purchase`.
    public var events: [String] {
        requests.flatMap { request -> [String] in
            guard request.method == "POST", case .array(let events) = request["events"] else { return [] }
            return events.compactMap(\.object).map {
                if let name = $0["name"]?.string { return "tracked \(name)" }
                return "\($0["kind"]?.string ?? "") of \(($0["message_id"] ?? $0["notification"])?.string ?? "")"
            }
        }
    }

    public func send(_ request: URLRequest) async -> TransportResult {
        let path = request.url?.path ?? ""
        // The address of the app ends with its number, behind `/v1/apps/`.
        let parts = path.components(separatedBy: "/v1/apps/").last?.split(separator: "/").dropFirst() ?? []
        let request = Request(
            method: request.httpMethod ?? "GET", path: parts.joined(separator: "/"), query: request.url?.query,
            body: request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null,
            authorization: request.value(forHTTPHeaderField: "Authorization"),
            tag: request.value(forHTTPHeaderField: "If-None-Match"))
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
        }
        return await answer(request, number)
    }
}

extension TransportResult {
    /// Status 200 with a JSON body.
    public static func ok(_ body: String = "{}", tag: String? = nil) -> TransportResult {
        .answer(Answer(status: 200, headers: tag.map { ["etag": $0] } ?? [:], body: Data(body.utf8)))
    }

    /// A problem document, RFC 9457.
    public static func problem(
        _ status: Int, _ code: String, detail: String = "Something is wrong.", headers: [String: String] = [:]
    ) -> TransportResult {
        let members: JSONValue = .object(["code": .string(code), "detail": .string(detail)])
        return .answer(
            Answer(status: status, headers: headers, body: (try? JSONEncoder().encode(members)) ?? Data()))
    }
}
