public import EventLoop
import FoundationEssentials
public import HTTPClient
public import HTTPTypes
public import JSON
import Notifications
import TLS

/// A client of Belfry's HTTP API, for commands.
public struct APIClient: Sendable {
    /// The deadline of an upload's answer, which may have to wait for the database.
    private static let uploadDeadline = Duration.seconds(120)

    /// The maximum size of an import report, which lists up to 100,000 problems, in bytes.
    private static let reportLimit = 64 * 1024 * 1024

    private let client: HTTPClient
    private let key: String
    /// The prefix of all paths.
    private let base: String

    public init(port: UInt16, key: String, on loop: EventLoop) {
        client = HTTPClient(loop: loop, host: "127.0.0.1", port: port)
        self.key = key
        base = ""
    }

    /// `url` is like https://push.example.com or http://127.0.0.1:8080.
    init(url: String, trust: TLSContext.Trust, key: String, on loop: EventLoop) throws {
        guard let parsed = URL(string: url), let host = parsed.host(), !host.isEmpty,
            parsed.scheme == "http" || parsed.scheme == "https", let port = UInt16(exactly: parsed.port ?? 0)
        else { throw CommandFailure("\"\(url)\" is not a URL such as https://push.example.com.") }
        let isSecure = parsed.scheme == "https"
        client = HTTPClient(
            loop: loop, host: host, port: port == 0 ? isSecure ? 443 : 80 : port,
            tls: isSecure ? try TLSContext.client(trust: trust, alpn: ["http/1.1"]) : nil)
        self.key = key
        base = parsed.path().hasSuffix("/") ? String(parsed.path().dropLast()) : parsed.path()
    }

    /// Returns the answer's JSON. An error becomes a `CommandFailure` with the API's message.
    @discardableResult
    public func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil,
        deadline: Duration = HTTPClientConnection.defaultDeadline
    ) async throws -> JSON {
        var headers: HTTPFields = [.authorization: "Bearer \(key)"]
        if body != nil { headers[.contentType] = "application/json" }
        let (response, bytes) = try await client.send(
            method, base + path, headers: headers, body: body?.encoded() ?? [], deadline: deadline)
        return try Self.answer(to: "\(method) \(path)", response, bytes)
    }

    /// Posts a body in pieces.
    func upload(
        _ path: String, type: String, length: Int, _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> JSON {
        let headers: HTTPFields = [.authorization: "Bearer \(key)", .contentType: type]
        let (response, bytes) = try await client.upload(
            .post, base + path, headers: headers, length: length, bodyLimit: Self.reportLimit,
            deadline: Self.uploadDeadline, next)
        return try Self.answer(to: "POST \(path)", response, bytes)
    }

    private static func answer(to request: String, _ response: HTTPResponse, _ bytes: [UInt8]) throws -> JSON {
        let answer = bytes.isEmpty ? JSON.null : (try? JSON(parsing: bytes)) ?? .null
        guard (200..<300).contains(response.status.code) else {
            throw CommandFailure("\(request): \(answer["detail"]?.text ?? "status \(response.status.code)")")
        }
        return answer
    }

    public func close() async { await client.close() }
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
