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
            {"events":[{"message_id":"\(id.text.uppercased())","kind":"delivered","at":"2026-11-21T10:00:00.5+01:00"},
             {"kind":"opened","message_id":"\(id.text)","at":null}, {"kind":"opened","message_id":"\(id.text)"}]}
            """)
        #expect(problems.isEmpty && body.refused.isEmpty)
        #expect(body.events.map(\.id) == [id, id, id])
        #expect(body.events.map(\.kind) == [.delivered, .opened, .opened])
        let time = try #require(Timestamp(rfc3339: "2026-11-21T09:00:00.500Z"))
        #expect(body.events.map(\.time) == [.device(time), .receipt, .receipt])
    }

    @Test func invalidEventsAreReportedByIndex() throws {
        let (body, problems) = try read(
            """
            {"events":[{"message_id":"x","kind":"opened"},{"message_id":"\(id.text)","kind":"seen"},{"message_id":"\(id.text)","kind":"action"},
             {"message_id":null,"kind":"opened"},7,{"message_id":"\(id.text)","kind":1},{"kind":"opened"},{"message_id":"\(id.text)"},
             {"message_id":"\(id.text)","kind":"opened"}],"extra":1}
            """)
        #expect(problems.isEmpty)
        #expect(body.events.map(\.index) == [8] && body.warnings.isEmpty)
        #expect(
            body.refused.map { "\($0.index) \($0.code)" } == [
                "0 unknown-message", "1 unknown-kind", "2 kind-not-supported", "3 unknown-message", "4 wrong-type",
                "5 unknown-kind", "6 unknown-message", "7 unknown-kind",
            ])
    }

    @Test(arguments: [
        (#""extra":1"#, "unknown-field"), (#""extra":"\u0000""#, "unknown-field"), (#""at":7"#, "invalid-time"),
        (#""at":"yesterday""#, "invalid-time"), (#""at":{}"#, "invalid-time"),
    ])
    func flawedEventIsStoredWithAWarning(_ member: String, _ warning: String) throws {
        let (body, problems) = try read(#"{"events":[{"message_id":"\#(id.text)","kind":"opened",\#(member)}]}"#)
        #expect(problems.isEmpty && body.refused.isEmpty)
        #expect(body.warnings.map { "\($0.index) \($0.code)" } == ["0 \(warning)"])
        #expect(body.events.map(\.time) == [warning == "invalid-time" ? .unreadable : .receipt])
    }

    @Test(arguments: [
        ("{}", "events missing"), (#"{"events":7}"#, "events wrong-type"), ("[]", " wrong-type"),
    ])
    func bodyWithoutAListOfEventsIsRefusedWithItsPath(text: String, problem: String) throws {
        #expect(try read(text).problems.map { "\($0.path) \($0.code)" } == [problem])
    }

    @Test func eventsAreTakenUpToTheLimitAndNotOneMore() throws {
        let event = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        for count in [AcknowledgementBody.maximumEvents, AcknowledgementBody.maximumEvents + 1] {
            let text = #"{"events":[\#(Array(repeating: event, count: count).joined(separator: ","))]}"#
            #expect(text.utf8.count <= AcknowledgementBody.maximumSize)
            let body = try read(text).body
            #expect(body.events.count == AcknowledgementBody.maximumEvents)
            #expect(body.refused.map(\.code) == (count == AcknowledgementBody.maximumEvents ? [] : ["too-many"]))
        }
    }

    @Test(arguments: 0..<8)
    func readerTakesNothingThatTheParserRefuses(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let text =
                #"{"events":[{"message_id":"\#(id.text)","kind":"opened","at":"2026-11-21T10:00:00Z"},{"kind":"x","message_id":""}]}"#
            let bytes = Mutation.damage(Array(text.utf8), &random)
            let read = try? AcknowledgementBody.read(bytes)
            let isJSON = (try? JSON(parsing: bytes)) != nil
            let isRefused = read.map { !$0.problems.isEmpty } ?? true
            #expect(isJSON ? read != nil : isRefused, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
