import HTTPServer
import HTTPTypes
import JSON

/// A message of the Model Context Protocol: JSON-RPC 2.0 in the body of a POST. The protocol of 2026-07-28 has no
/// sessions: each request says its version and who asks. Earlier ones begin with `initialize`.
/// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
struct AssistantMessage: Equatable {
    /// Without sessions.
    static let version = "2026-07-28"
    /// With `initialize`, the newest first.
    static let earlierVersions = ["2025-11-25", "2025-06-18", "2025-03-26"]

    /// Nil: a notification, which gets no answer.
    let id: JSON?
    let method: String
    let params: JSON
    /// Whether it is of the version without sessions.
    let isSessionless: Bool
    /// The name that the client gives itself, if it does in this message.
    let client: String?

    /// An error of JSON-RPC, with the status of HTTP that belongs to it.
    struct Failure: Error, Equatable {
        let code: Int
        let message: String
        var data: JSON?
        var id: JSON = .null

        static func parse(_ reason: String) -> Failure { Failure(code: -32_700, message: reason) }
        static func invalid(_ reason: String) -> Failure { Failure(code: -32_600, message: reason) }
        static func params(_ reason: String) -> Failure { Failure(code: -32_602, message: reason) }
        static func mismatch(_ header: String, _ part: String) -> Failure {
            Failure(code: -32_020, message: "The header \(header) differs from \(part) of the body.")
        }
        static func noMethod(_ name: String) -> Failure {
            Failure(code: -32_601, message: "There is no method \(name).")
        }
        static func version(_ requested: String) -> Failure {
            Failure(
                code: -32_022, message: "The version \(requested) of the protocol is not supported.",
                data: [
                    "supported": .array(
                        ([AssistantMessage.version] + AssistantMessage.earlierVersions).map { .string($0) }),
                    "requested": .string(requested),
                ])
        }

        var status: HTTPResponse.Status { code == -32_601 ? .notFound : .badRequest }
    }

    private static let prefix = "io.modelcontextprotocol/"

    /// Reads a body. Headers repeat what it says, so that proxies need not read it; they must agree.
    init(_ body: [UInt8], headers: HTTPFields) throws(Failure) {
        let json: JSON
        do {
            json = try JSON(parsing: body)
        } catch {
            throw .parse("The body is not JSON: \(error)")
        }
        guard case .object = json, json["jsonrpc"] == "2.0", let method = json["method"]?.asText else {
            throw .invalid("The body must be one request or notification of JSON-RPC 2.0.")
        }
        switch json["id"] {
        case nil, .string, .number: id = json["id"]
        default: throw .invalid("The id must be a text or a number.")
        }
        self.method = method
        params = json["params"] ?? [:]
        let meta = params["_meta"]
        let header = headers.text("MCP-Protocol-Version")
        let version = meta?[Self.prefix + "protocolVersion"]?.asText
        isSessionless = header == Self.version || version != nil
        do throws(Failure) {
            guard isSessionless else {
                client = method == "initialize" ? params["clientInfo"]?["name"]?.asText : nil
                if let header, !Self.earlierVersions.contains(header) { throw .version(header) }
                return
            }
            client = meta?[Self.prefix + "clientInfo"]?["name"]?.asText
            if id != nil { try Self.check(meta, version, method, params, headers) }
        } catch {
            var failure = error
            failure.id = id ?? .null
            throw failure
        }
    }

    private static func check(
        _ meta: JSON?, _ version: String?, _ method: String, _ params: JSON, _ headers: HTTPFields
    ) throws(Failure) {
        guard let version, meta?[prefix + "clientCapabilities"] != nil else {
            throw .params("_meta must have \(prefix)protocolVersion and \(prefix)clientCapabilities.")
        }
        guard headers.text("MCP-Protocol-Version") == version else { throw .mismatch("MCP-Protocol-Version", "_meta") }
        guard headers.text("Mcp-Method") == method else { throw .mismatch("Mcp-Method", "the method") }
        if method == "tools/call", let name = params["name"]?.asText, headers.text("Mcp-Name") != name {
            throw .mismatch("Mcp-Name", "the name")
        }
        guard version == Self.version else { throw .version(version) }
    }
}

extension HTTPFields {
    fileprivate func text(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
