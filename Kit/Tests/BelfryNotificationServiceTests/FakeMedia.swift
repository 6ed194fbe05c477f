import BelfryCore
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of files inside the test's URL sessions. Each address has its own answer, so that tests run side by side.
final class FakeMedia: URLProtocol {
    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var pieces: [Data] = []
        /// False: the request hangs after the pieces.
        var ends = true
    }

    enum Signal: Sendable, Equatable { case started, stopped }

    private static let answers = Guarded<[URL: Answer]>([:])
    private static let listeners = Guarded<[URL: AsyncStream<Signal>.Continuation]>([:])

    /// Returns the address of an answer, and the signals of its requests.
    static func serve(_ answer: Answer, name: String = "a.jpg") throws -> (URL, AsyncStream<Signal>) {
        let url = try #require(URL(string: "https://media.example/\(UUID().uuidString)/\(name)"))
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        listeners.withLock { $0[url] = continuation }
        answers.withLock { $0[url] = answer }
        return (url, signals)
    }

    static var session: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [FakeMedia.self]
        return configuration
    }

    override static func canInit(with request: URLRequest) -> Bool { request.url?.host == "media.example" }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url, let answer = Self.answers.withLock({ $0[url] }),
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        for piece in answer.pieces { client?.urlProtocol(self, didLoad: piece) }
        if answer.ends { client?.urlProtocolDidFinishLoading(self) }
        Self.listeners.withLock { $0[url] }?.yield(.started)
    }

    override func stopLoading() {
        guard let url = request.url else { return }
        Self.listeners.withLock { $0[url] }?.yield(.stopped)
    }
}

extension AsyncStream where Element: Equatable & Sendable {
    /// Waits for an element.
    func wait(for wanted: Element) async { for await element in self where element == wanted { return } }
}
