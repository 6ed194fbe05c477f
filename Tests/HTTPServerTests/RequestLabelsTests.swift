import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

extension HTTPField.Name {
    fileprivate static let requestID = HTTPField.Name("X-Request-Id")!
    fileprivate static let traceParent = HTTPField.Name("traceparent")!
}

struct RequestLabelsTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func labels(id: String? = nil, trace: String? = nil) -> RequestLabels {
        var labels = RequestLabels()
        id.map { Array($0.utf8).withUnsafeBytes { labels.takeID($0) } }
        trace.map { Array($0.utf8).withUnsafeBytes { labels.takeTrace($0) } }
        return labels
    }

    @Test(arguments: ["a", "7f3c-09.A_z", "3b241101-e2bb-4255-8caf-4136c566a962", String(repeating: "x", count: 64)])
    func anIDOfOrdinaryCharactersIsTaken(id: String) {
        #expect(labels(id: id).id == id)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a b", "a\"", "é", "a/b", "a\u{1B}"])
    func anyOtherIDIsNot(id: String) {
        #expect(labels(id: id).id == nil)
    }

    @Test(arguments: [
        "00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-00", "cc-\(trace)-00f067aa0ba902b7-01",
        "cc-\(trace)-00f067aa0ba902b7-01-more",
    ])
    func theTraceOfAValidParentIsTaken(text: String) {
        #expect(labels(trace: text).trace == Self.trace)
    }

    @Test(arguments: [
        "", trace, "ff-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-01-more",
        "00-\(trace)-00f067aa0ba902b7", "00-\(trace.uppercased())-00f067aa0ba902b7-01",
        "00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
        "00-\(trace.dropLast())-00f067aa0ba902b7-01", "00-\(trace)--01", "0g-\(trace)-00f067aa0ba902b7-01",
    ])
    func anInvalidParentIsIgnored(text: String) {
        #expect(labels(trace: text).trace == nil)
    }

    @Test func theFirstOfRepeatedNamesIsTaken() {
        var labels = RequestLabels()
        for id in ["b c", "first", "second"] { Array(id.utf8).withUnsafeBytes { labels.takeID($0) } }
        #expect(labels.id == "first")
    }

    @Test func theClientsNamesAreInTheResponseTheRecordAndTheLog() async throws {
        let records = Lock<[AccessRecord]>([])
        var router = Router(logger: LiveServer.quiet)
        router.add(.get, "/id") { request in .text("\(request.id) \(request.trace ?? "-")") }
        try await LiveServer.run(
            router, configure: { $0.onResponse = { record in records.withLock { $0.append(record) } } }
        ) { live in
            let client = try await live.client()
            let (named, body) = try await client.send(
                .get, "/id", headers: [.requestID: "from-nginx", .traceParent: "00-\(Self.trace)-00f067aa0ba902b7-01"],
                body: [])
            #expect(named.headerFields[.requestID] == "from-nginx")
            #expect(String(decoding: body, as: UTF8.self) == "from-nginx \(Self.trace)")
            let (unnamed, _) = try await client.send(.get, "/id", headers: [.requestID: "not usable"], body: [])
            #expect(unnamed.headerFields[.requestID]?.count == 16)
            await client.close()
        }
        let found = records.withLock { $0 }
        #expect(found.first?.requestID == "from-nginx" && found.first?.trace == Self.trace)
        #expect(found.last?.requestID?.count == 16 && found.last?.trace == nil)
    }
}
