import BelfryCore
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A proxy inside the test's URL session that refuses compressed requests, and a server behind it that takes everything.
/// Each has its own host, so that tests run side by side.
final class RefusingProxy: URLProtocol {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let status: Int
        var body = ""

        var testDescription: String { "\(status) \(body)" }
    }

    struct Host: Sendable {
        let refusal: Refusal
        /// The encodings of all requests, in their order.
        var encodings: [String?] = []
        /// The bodies that have reached the server.
        var bodies: [Data] = []
    }

    private static let hosts = Guarded<[String: Host]>([:])

    /// Returns the name of a new host.
    static func host(_ refusal: Refusal) -> String {
        let name = "\(UUID().uuidString.lowercased()).example"
        hosts.withLock { $0[name] = Host(refusal: refusal) }
        return name
    }

    static func requests(to name: String) throws -> Host { try #require(hosts.withLock { $0[name] }) }

    static var session: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [RefusingProxy.self]
        return configuration
    }

    override static func canInit(with request: URLRequest) -> Bool { true }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let encoding = request.value(forHTTPHeaderField: "Content-Encoding")
        guard let url = request.url, let host = url.host else { return }
        let refusal = Self.hosts.withLock { hosts -> Refusal? in
            hosts[host]?.encodings.append(encoding)
            if encoding != nil { return hosts[host]?.refusal }
            hosts[host]?.bodies.append(request.httpBody ?? Data())
            return nil
        }
        let answer = HTTPURLResponse(url: url, statusCode: refusal?.status ?? 200, httpVersion: nil, headerFields: nil)
        if let answer { client?.urlProtocol(self, didReceive: answer, cacheStoragePolicy: .notAllowed) }
        client?.urlProtocol(self, didLoad: Data((refusal?.body ?? "{}").utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
