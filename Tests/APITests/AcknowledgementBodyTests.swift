import Campaigns
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@testable import API

struct AcknowledgementBodyTests {
    private let id = MessageID(messageNumber: 7, device: 9, tag: 0x1234_5678_9ABC_DEF0)

    private func read(_ text: String) throws -> (body: AcknowledgementBody, problems: [Problem]) {
        try AcknowledgementBody.read(Array(text.utf8))
    }

    @Test func eventsAreReadWithTheirTimes() throws {
        let (body, problems) = try read(
            """
            {"events":[{"id":"\(id.text.uppercased())","kind":"delivered","at":"2026-11-21T10:00:00.5+01:00"},
             {"kind":"opened","id":"\(id.text)","at":null}, {"kind":"opened","id":"\(id.text)"}]}
            """)
        #expect(problems.isEmpty && body.refused.isEmpty)
        #expect(body.events.map(\.id) == [id, id, id])
        #expect(body.events.map(\.kind) == [.delivered, .opened, .opened])
        #expect(body.events.map(\.happenedAt) == [Timestamp(rfc3339: "2026-11-21T09:00:00.500Z"), nil, nil])
    }

    @Test func invalidEventsAreReportedByIndex() throws {
        let (body, problems) = try read(
            """
            {"events":[{"id":"x","kind":"opened"},{"id":"\(id.text)","kind":"seen"},{"id":"\(id.text)","kind":"action"},
             {"id":"\(id.text)","kind":"opened","at":"yesterday"},{"id":"\(id.text)","kind":"opened"}]}
            """)
        #expect(problems.isEmpty)
        #expect(body.events.map(\.index) == [4])
        #expect(
            body.refused.map { "\($0.index) \($0.code)" }
                == ["0 unknown-message", "1 unknown-kind", "2 kind-not-supported", "3 invalid-time"])
    }

    @Test(arguments: [
        ("{}", "events missing"), (#"{"events":[]}"#, "events empty"), (#"{"events":7}"#, "events wrong-type"),
        (#"{"events":[7]}"#, "events[0] wrong-type"), ("[]", " wrong-type"),
        (#"{"events":[{"id":"x"}]}"#, "events[0].kind missing"),
        (#"{"events":[{"kind":"opened"}]}"#, "events[0].id missing"),
        (#"{"events":[{"id":"x","kind":"opened","x":1}]}"#, "events[0].x unknown-field"),
        (#"{"events":[{"id":1,"kind":"opened"}]}"#, "events[0].id wrong-type"),
    ])
    func bodyOfTheWrongShapeIsRefusedWithItsPath(text: String, problem: String) throws {
        #expect(try read(text).problems.map { "\($0.path) \($0.code)" } == [problem])
    }

    @Test func eventsAreTakenUpToTheLimitAndNotOneMore() throws {
        let event = #"{"id":"\#(id.text)","kind":"opened"}"#
        for count in [AcknowledgementBody.maximumEvents, AcknowledgementBody.maximumEvents + 1] {
            let text = #"{"events":[\#(Array(repeating: event, count: count).joined(separator: ","))]}"#
            #expect(text.utf8.count <= AcknowledgementBody.maximumSize)
            #expect(try read(text).problems.isEmpty == (count == AcknowledgementBody.maximumEvents))
        }
    }

    @Test(arguments: 0..<8)
    func readerTakesNothingThatTheParserRefuses(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let text =
                #"{"events":[{"id":"\#(id.text)","kind":"opened","at":"2026-11-21T10:00:00Z"},{"kind":"x","id":""}]}"#
            let bytes = Mutation.damage(Array(text.utf8), &random)
            let read = try? AcknowledgementBody.read(bytes)
            let isJSON = (try? JSON(parsing: bytes)) != nil
            let isRefused = read.map { !$0.problems.isEmpty } ?? true
            #expect(isJSON ? read != nil : isRefused, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
