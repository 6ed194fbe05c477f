import EventLoop
import Testing

@testable import HTTPServer

struct HTTPValueTests {
    @Test func bodyBudgetCountsOnlyWaiting() {
        var pace = BodyReadBudget(deadline: .seconds(10), progressDeadline: .seconds(3), progressBytes: 100)
        #expect(pace.allowance == .seconds(3))
        pace.waited(.seconds(2), for: 99)
        #expect(pace.allowance == .seconds(1))
        pace.waited(.zero, for: 1)
        #expect(pace.allowance == .seconds(3))
        pace.waited(.seconds(3), for: 100)
        pace.waited(.seconds(3), for: 100)
        #expect(pace.allowance == .seconds(2))
        pace.waited(.seconds(5), for: 0)
        #expect(pace.allowance == .zero)
    }

    @Test func longBodyGetsTheFullTimeForEachPart() {
        var pace = BodyReadBudget(deadline: .seconds(10), progressDeadline: .seconds(9), progressBytes: 1)
        pace.waited(.seconds(8), for: BodyReadBudget.partBytes - 1)
        #expect(pace.allowance == .seconds(2))
        pace.waited(.seconds(1), for: 1)
        #expect(pace.allowance == .seconds(9))
        pace.waited(.seconds(8), for: BodyReadBudget.partBytes - 1)
        #expect(pace.allowance == .seconds(2))
    }

    @Test func connectionsAreCountedInTotalAndByAddress() throws {
        var counts = ConnectionCounts(maximum: 3, maximumPerAddress: 2)
        let (a, b, c) = try (address("192.0.2.1"), address("192.0.2.2"), address("192.0.2.3"))
        #expect(counts.add(a) == .admitted)
        #expect(counts.add(a) == .admitted)
        #expect(counts.add(a) == .rejected)
        #expect(counts.add(nil) == .admitted)
        #expect(counts.add(b) == .rejected)
        for _ in 2..<ConnectionCounts.maximumRejected { #expect(counts.add(b) == .rejected) }
        #expect(counts.add(b) == .dropped)
        counts.remove(a, .admitted)
        #expect(counts.add(a) == .admitted)
        #expect(counts.add(c) == .dropped)
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test func eventsAreEncodedLineByLine() {
        func text(_ event: String?, _ data: String, _ id: String?) -> String {
            String(decoding: EventSink.encode(event: event, data: data, id: id), as: UTF8.self)
        }
        #expect(text(nil, "a", nil) == "data: a\n\n")
        #expect(text("e\nx", "a\r\nb\rc\n", "1\r2") == "event: ex\nid: 12\ndata: a\ndata: b\ndata: c\ndata: \n\n")
        #expect(text(nil, "", nil) == "data: \n\n")
    }

    @Test func datesAreFormattedForHTTP() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func percentEscapesAreDecodedOrRejected() {
        #expect(PercentEncoding.decode("a%20b+c") == "a b+c")
        #expect(PercentEncoding.decode("a+b", plusIsSpace: true) == "a b")
        for broken in ["%", "%2", "%zz", "%ff", "%c3%28"] { #expect(PercentEncoding.decode(broken[...]) == nil) }
    }
}
