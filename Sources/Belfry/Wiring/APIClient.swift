import EventLoop
import FoundationEssentials
import HTTPClient
import HTTPTypes
import Notifications

/// Belfry's own API as a command uses it: over HTTP, with a key, like anybody else.
struct APIClient {
    private let client: HTTPClient
    private let key: String

    init(port: UInt16, key: String, on loop: EventLoop) {
        client = HTTPClient(loop: loop, host: "127.0.0.1", port: port)
        self.key = key
    }

    /// The answer's JSON. A refusal becomes a failure in the API's words.
    @discardableResult
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var headers: HTTPFields = [.authorization: "Bearer \(key)"]
        if body != nil { headers[.contentType] = "application/json" }
        let (response, bytes) = try await client.send(method, path, headers: headers, body: body?.encoded() ?? [])
        let answer = bytes.isEmpty ? JSON.null : try JSON(parsing: bytes)
        guard (200..<300).contains(response.status.code) else {
            throw CommandFailure("\(method) \(path): \(answer["detail"]?.text ?? "status \(response.status.code)")")
        }
        return answer
    }

    func close() async { await client.close() }
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
