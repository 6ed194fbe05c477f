import Foundation
import Testing

@testable import BelfryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answers of the real server to compressed requests. The transport sends a refused one again as it is, so elsewhere
/// nobody would notice.
@Suite(
    .enabled(
        if: BelfryServer.executable != nil,
        "BELFRY_EXECUTABLE is not set: `make test` sets it to the built server."))
struct CompressedBodyTests {
    @Test func serverReadsGzipAndRefusesWhatIsNone() async throws {
        try await BelfryServer.with { server, _ in
            let events = (0..<20).map { Event(messageID: "unknown-\($0)", kind: .opened, at: Date()) }
            let body = try EventBatch.body(events, sentAt: Date())
            let plain = server.configuration.request("POST", ["acknowledgements"], body: body)
            let whole = try #require(BodyEncoding().encoded(plain))
            var cut = whole
            cut.httpBody?.removeLast()
            var other = whole
            other.setValue("br", forHTTPHeaderField: "Content-Encoding")

            // These bodies are below the threshold, so the transport sends them as they are.
            let transport = URLSessionTransport()
            func answer(to request: URLRequest) async throws -> TransportResult.Answer {
                guard case .answer(let answer) = await transport.send(request) else { throw CancellationError() }
                return answer
            }
            let read = try await answer(to: whole)
            #expect(read.status == 200)
            #expect(try JSONDecoder().decode(JSONValue.self, from: read.body)["failed"]?.elements.count == 20)
            for (request, code) in [(cut, "invalid-gzip"), (other, "unsupported-content-encoding")] {
                let refused = try await answer(to: request)
                var encoding = BodyEncoding()
                let isRefusal = encoding.received(.answer(refused))
                #expect(refused.code == code)
                #expect(isRefusal)
            }
        }
    }
}
