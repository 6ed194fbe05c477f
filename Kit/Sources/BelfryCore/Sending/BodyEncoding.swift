import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decides which bodies are sent as gzip. A proxy before the server may refuse them; from then on the transport sends
/// bodies as they are.
struct BodyEncoding: Sendable {
    /// In bytes. A shorter body fits into one packet, compressed or not.
    static let threshold = 1_024

    private(set) var isRefused = false

    /// The request with a compressed body; nil if it is sent as it is.
    func encoded(_ request: URLRequest) -> URLRequest? {
        guard !isRefused, let body = request.httpBody, body.count >= Self.threshold,
            let compressed = body.gzipped(), compressed.count < body.count
        else { return nil }
        var encoded = request
        encoded.httpBody = compressed
        encoded.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        return encoded
    }

    /// Takes the result of an encoded request. Returns true if the encoding was refused: the request is to be sent again
    /// as it is, before anybody takes the refusal for one of its content.
    mutating func received(_ result: TransportResult) -> Bool {
        guard case .answer(let answer) = result, Self.refuses(answer) else { return false }
        isRefused = true
        return true
    }

    private static func refuses(_ answer: TransportResult.Answer) -> Bool {
        switch answer.code {
        // A proxy that removes the header and leaves the body compressed makes it invalid JSON.
        case "unsupported-content-encoding", "invalid-gzip", "invalid-json": true
        // Not the server's answer. The rules of many firewalls forbid compressed requests.
        case nil: [400, 403, 415].contains(answer.status)
        default: false
        }
    }
}
