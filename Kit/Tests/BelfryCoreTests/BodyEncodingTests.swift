import BelfryTesting
import Foundation
import Testing
import zlib

@testable import BelfryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct BodyEncodingTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func compressedBodyHasTheSameBytesAndIsSmaller() throws {
        for count in [10, 100, 1_000] {
            let body = try EventBatch.body(events(count), sentAt: now)
            let request = try #require(BodyEncoding().encoded(request(body)))
            let compressed = try #require(request.httpBody)
            #expect(request.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
            #expect(compressed.count * 2 < body.count)
            #expect(try gunzip(compressed, room: body.count) == body)
        }
    }

    @Test func bodyBelowTheThresholdIsSentAsItIs() {
        let shortest = Data(repeating: 7, count: BodyEncoding.threshold)
        #expect(BodyEncoding().encoded(request(shortest)) != nil)
        #expect(BodyEncoding().encoded(request(shortest.dropLast())) == nil)
        #expect(BodyEncoding().encoded(request(nil)) == nil)
    }

    @Test func bodyThatDoesNotShrinkIsSentAsItIs() {
        var random = SplitMix(state: 5)
        let noise = Data((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(BodyEncoding().encoded(request(noise)) == nil)
    }

    @Test(arguments: [
        RefusingProxy.Refusal(status: 415, body: #"{"code": "unsupported-content-encoding"}"#),
        .init(status: 400, body: #"{"code": "invalid-gzip"}"#), .init(status: 400, body: #"{"code": "invalid-json"}"#),
        .init(status: 415), .init(status: 400, body: "<h1>Bad Request</h1>"), .init(status: 403),
    ])
    func refusedEncodingCostsNoEventAndIsNotTriedAgain(refusal: RefusingProxy.Refusal) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let host = RefusingProxy.host(refusal)
        let configuration = BelfryConfiguration(api: "https://\(host)/v1/apps/1", publishableKey: "bfp_x")
        let codes = Guarded<[String]>([])
        let queue = EventQueue(root: folder, process: "app")
        let sender = EventSender(
            queue: queue, configuration: configuration, transport: URLSessionTransport(RefusingProxy.session),
            diagnostics: Diagnostics { diagnostic in codes.withLock { $0.append(diagnostic.code) } },
            clock: TestClock())
        for _ in 0..<2 {
            for event in events(50) { try queue.record(event, at: now) }
            #expect(await sender.flush() == .done)
        }
        let requests = try RefusingProxy.requests(to: host)
        #expect(requests.encodings == ["gzip", nil, nil])
        #expect(try requests.bodies.map(count) == [50, 50])
        #expect(codes.withLock { $0 } == [])
    }

    @Test func otherAnswersAreNoRefusal() {
        let results: [TransportResult] = [
            .ok(), .failed("offline"), .problem(400, "invalid-body"), .problem(403, "invalid-key"),
            .problem(413, "body-too-large"), .problem(415, "unsupported-media-type"), .answer(.init(status: 413)),
            .answer(.init(status: 503)), .answer(.init(status: 404)),
        ]
        var encoding = BodyEncoding()
        let refusals = results.filter { encoding.received($0) }
        #expect(refusals.isEmpty)
        #expect(!encoding.isRefused)
    }

    private func events(_ count: Int) -> [Event] {
        (0..<count).map { Event(messageID: "\(UUID())", kind: .opened, at: now + Double($0) * 61.007) }
    }

    private func request(_ body: Data?) -> URLRequest {
        BelfryConfiguration(api: "https://push.example.com/v1/apps/1", publishableKey: "bfp_x")
            .request("POST", ["acknowledgements"], body: body)
    }

    private func count(_ body: Data) throws -> Int {
        let members = try JSONDecoder().decode(JSONValue.self, from: body).object
        guard case .array(let events) = members?["events"] else { return 0 }
        return events.count
    }

    /// By zlib, which also checks the header and the sum.
    private func gunzip(_ data: Data, room: Int) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        try #require(inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, size) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = Array(data)
        var output = [UInt8](repeating: 0, count: room + 1)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        try #require(status == Z_STREAM_END && stream.avail_in == 0)
        return Data(output.dropLast(Int(stream.avail_out)))
    }
}
