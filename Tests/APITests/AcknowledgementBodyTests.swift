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

    /// Apps send iOS's action identifiers as they are.
    @Test(arguments: [
        ("com.apple.UNNotificationDismissActionIdentifier", EventKind.dismissed),
        ("com.apple.UNNotificationDefaultActionIdentifier", .opened),
    ])
    func actionOfTheSystemIsTheEventThatItMeans(_ action: String, _ kind: EventKind) throws {
        let (body, _) = try read(
            #"{"events":[{"message_id":"\#(id.text)","kind":"action","action":"\#(action)"}]}"#)
        #expect(body.events.map(\.kind) == [kind] && body.events.first?.details == nil)
        #expect(body.warnings.map(\.code) == ["kind-corrected"])
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
                "0 unknown-message", "1 unknown-kind", "2 invalid-action", "3 unknown-message", "4 wrong-type",
                "5 unknown-kind", "6 unknown-message", "7 unknown-kind",
            ])
    }

    @Test(arguments: [
        (#""kind":"action","action":"reply""#, EventDetails(action: "reply")),
        (#""kind":"text","text":"On my way","action":"reply""#, EventDetails(action: "reply", text: "On my way")),
        (#""kind":"text","text":"\u00fc","action":null"#, EventDetails(text: "ü")),
        (#""kind":"converted","action":"buy","value":19.99"#, EventDetails(action: "buy", valueMillionths: 19_990_000)),
        (
            #""kind":"converted","action":"buy","value":-999999999"#,
            EventDetails(action: "buy", valueMillionths: -999_999_999_000_000)
        ),
        (#""kind":"converted","action":"buy","value":null"#, EventDetails(action: "buy")),
        (#""kind":"dismissed""#, nil), (#""kind":"presented""#, nil),
    ])
    func detailsOfAnEventAreRead(_ members: String, _ details: EventDetails?) throws {
        let (body, problems) = try read(#"{"events":[{"message_id":"\#(id.text)",\#(members)}]}"#)
        #expect(problems.isEmpty && body.refused.isEmpty && body.warnings.isEmpty)
        #expect(body.events.map(\.details) == [details])
    }

    @Test(arguments: [
        (#""kind":"action","action":"""#, "invalid-action"), (#""kind":"action","action":7"#, "invalid-action"),
        (#""kind":"action","action":"\u0000""#, "invalid-action"), (#""kind":"converted","value":1"#, "invalid-action"),
        (#""kind":"text""#, "invalid-text"), (#""kind":"text","text":"""#, "invalid-text"),
        (#""kind":"text","text":"a\u0000b""#, "invalid-text"), (#""kind":"text","text":null"#, "invalid-text"),
        (#""kind":"text","text":"a","action":[]"#, "invalid-action"),
        (#""kind":"converted","action":"buy","value":"1""#, "invalid-value"),
        (#""kind":"converted","action":"buy","value":1000000000000"#, "invalid-value"),
        (#""kind":"converted","action":"buy","value":1e999"#, "invalid-value"),
    ])
    func eventWithUnusableDetailsIsRefused(_ members: String, _ code: String) throws {
        let (body, problems) = try read(#"{"events":[{"message_id":"\#(id.text)",\#(members)}]}"#)
        #expect(problems.isEmpty && body.events.isEmpty && body.warnings.isEmpty)
        #expect(body.refused.map(\.code) == [code])
    }

    /// Audiences name conversions, and people search replies: both are compared by their bytes.
    @Test func textsAreInFormC() throws {
        let body = try read(
            "{\"events\":[{\"message_id\":\"\(id.text)\",\"kind\":\"text\",\"text\":\"cafe\u{301}\",\"action\":\"Ja\u{308}\"}]}"
        ).body
        let details = try #require(body.events.first?.details)
        #expect(details.text?.utf8.count == 5 && details.action.utf8.count == 3)
    }

    @Test func longReplyIsCutBetweenCharacters() throws {
        let reply = String(repeating: "é", count: Acknowledgement.maximumTextLength / 2 - 1) + "a👍"
        let body = try read(#"{"events":[{"message_id":"\#(id.text)","kind":"text","text":"\#(reply)"}]}"#).body
        #expect(body.events.map(\.details?.text) == [String(reply.dropLast())])
        #expect(body.warnings.map(\.code) == ["text-cut"])
    }

    @Test(arguments: [(#""2026-11-21T10:00:00Z""#, true), ("null", false), ("7", false), (#""now""#, false)])
    func timeOfTheRequestIsReadAndNeverRefused(_ text: String, _ isTime: Bool) throws {
        let (body, problems) = try read(
            #"{"sent_at":\#(text),"events":[{"message_id":"\#(id.text)","kind":"opened"}]}"#)
        #expect(problems.isEmpty && body.events.count == 1)
        #expect(body.sentAt == (isTime ? Timestamp(rfc3339: "2026-11-21T10:00:00Z") : nil))
    }

    @Test(arguments: [
        (#""action":"x""#, "unused-field"), (#""text":"x""#, "unused-field"), (#""value":1"#, "unused-field"),
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

    @Test(arguments: [
        #"{"message_id":"\ud800","kind":"opened"}"#, #"{"message_id":"\u12","kind":"opened"}"#, #"{"kind":"\x"}"#,
        #"{"kind":"text","text":"\udc00\ud800"}"#, #"{"at":NaN}"#, #"{"value":01}"#, #"{"value":.5}"#, #"{"value":1.}"#,
        #"{"kind":"opened","kind":"opened"}"#, #"{"x":1,"x":1}"#, #"{"x":{"y":1,"y":2}}"#, #"{"at":True}"#,
        "{\"text\":\"a\nb\"}", #"{"kind":"opened",}"#, #"{"kind":}"#, "{kind:1}", "NaN", #""\ud800""#, "[1,]",
        "{\"x\":\(String(repeating: "[", count: 200))\(String(repeating: "]", count: 200))}",
    ])
    func eventThatIsNotJSONIsRefusedAlone(_ event: String) throws {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        for (text, index) in [
            ("\(event),\(good),\(good)", 0), ("\(good), \(event) ,\(good)", 1), ("\(good),\(good),\(event)", 2),
        ] {
            let (body, problems) = try read(#"{"events":[\#(text)],"sent_at":"2026-11-21T10:00:00Z"}"#)
            #expect(problems.isEmpty && body.warnings.isEmpty && body.sentAt != nil)
            #expect(body.refused.map { "\($0.index) \($0.code)" } == ["\(index) invalid-json"])
            #expect(body.events.map(\.index) == [0, 1, 2].filter { $0 != index })
        }
    }

    @Test(arguments: [[0xFF], [0xED, 0xA0, 0x80], [0xC3], [0xC0, 0x80]] as [[UInt8]])
    func eventThatIsNotUTF8IsRefusedAlone(_ bytes: [UInt8]) throws {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        let text = Array(#"{"events":[\#(good),{"text":"ü"#.utf8) + bytes + Array(#""},\#(good)]}"#.utf8)
        let (body, problems) = try AcknowledgementBody.read(text)
        #expect(problems.isEmpty && body.events.map(\.index) == [0, 2])
        #expect(body.refused.map(\.message.description) == ["The event is not JSON: the text is not valid UTF-8."])
        let beside = Array(#"{"events":[\#(good)],"x":""#.utf8) + bytes + Array("\"}".utf8)
        #expect(try AcknowledgementBody.read(beside).body.events.count == 1)
    }

    @Test(arguments: [
        #"{"kind":"opened}"#, #"{"kind":"opened"]}"#, #"{"kind" "opened"}"#, #"{"kind":"opened""#, #"{"kind":"\"}"#,
        #"{"kind":"opened"/*comment*/}"#, #"{"kind":"opened" /* a "comment" */}"#, #"/*comment*/{"kind":"opened"}"#,
        #"{"kind":'opened'}"#, #"{"kind":"text","text":"say "hi", Ann"}"#, #"{"kind":opened text}"#, "",
    ])
    func damagedEventBeforeAnotherIsRefusedAlone(_ event: String) throws {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        for text in ["\(good),\(event),\(good)", "\(good) , \(event)\n, \(good)"] {
            let (body, problems) = try read(#"{"events":[\#(text)],"sent_at":"2026-11-21T10:00:00Z"}"#)
            #expect(problems.isEmpty && body.sentAt != nil)
            #expect(body.refused.map { "\($0.index) \($0.code)" } == ["1 invalid-json"])
            #expect(body.events.map(\.index) == [0, 2])
        }
    }

    @Test(arguments: [
        #"{"kind" "opened"}"#, #"{"kind":"opened"/*comment*/}"#, #"/*comment*/{"kind":"opened"}"#, "",
        #"{"a":"b" "c"}"#,
    ])
    func damagedEventAtTheEndIsRefusedAlone(_ event: String) throws {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        let body = try read(#"{"events":[\#(good),\#(event)],"sent_at":"2026-11-21T10:00:00Z"}"#).body
        #expect(body.sentAt != nil && body.events.map(\.index) == [0])
        #expect(body.refused.map { "\($0.index) \($0.code)" } == ["1 invalid-json"])
    }

    /// What a person typed may look like an event.
    @Test func textInADamagedEventIsNoEvent() throws {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        let typed = #",{\"message_id\":\"\#(id.text)\",\"kind\":\"opened\"},"#
        let body = try read(#"{"events":[{"kind" "text","text":"\#(typed)"},\#(good)]}"#).body
        #expect(body.events.map(\.index) == [1] && body.refused.map(\.index) == [0])
    }

    @Test(arguments: [#""\ud800""#, "NaN", "01", "", #"{"a" 1}"#, "/*now*/null"])
    func memberBesideTheEventsThatIsNotJSONCostsNoEvent(_ value: String) throws {
        let events = #""events":[{"message_id":"\#(id.text)","kind":"opened"}]"#
        for name in ["sent_at", "extra"] {
            for text in ["{\"\(name)\":\(value),\(events)}", "{\(events),\"\(name)\":\(value)}"] {
                let (body, problems) = try read(text)
                #expect(problems.isEmpty && body.events.count == 1 && body.sentAt == nil)
            }
        }
    }

    @Test func byteOrderMarkBeforeTheBodyIsIgnored() throws {
        let body = try read("\u{FEFF}" + #"{"events":[{"message_id":"\#(id.text)","kind":"opened"}]}"#).body
        #expect(body.events.count == 1)
    }

    @Test(arguments: [#"%,{"kind":"opened}"#, "{}}%", "{}%"])
    func bodyIsRefusedWholeIfTheEndOfAnEventIsUncertain(_ text: String) {
        let good = #"{"message_id":"\#(id.text)","kind":"opened"}"#
        #expect(throws: ByteReader.Malformed.self) {
            try read(#"{"events":[\#(text.replacing("%", with: good))]}"#)
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
            let isRefused = read?.body.refused.contains { $0.code == "invalid-json" } ?? true
            let hasProblems = read.map { !$0.problems.isEmpty } ?? true
            #expect(
                isJSON ? read != nil && !isRefused : isRefused || hasProblems,
                "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// Whatever happens inside an event, the next one is read if the body is not refused whole.
    @Test(arguments: 0..<4)
    func damagedEventLeavesItsNeighbourAlone(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let event = Array(#""message_id":"\#(id.text)","kind":"te\u0078t","text":"ü\ud83d\ude00","at":null"#.utf8)
        var isolated = 0
        for _ in 0..<2_000 {
            let damaged = Array("{".utf8) + Mutation.damage(event, &random) + Array("}".utf8)
            let whole =
                Array(#"{"events":["#.utf8) + damaged
                + Array(#",{"message_id":"\#(id.text)","kind":"presented"}]}"#.utf8)
            guard let body = try? AcknowledgementBody.read(whole).body else { continue }
            #expect(body.events.last?.kind == .presented, "\(String(decoding: whole, as: UTF8.self))")
            if body.refused.contains(where: { $0.code == "invalid-json" }) { isolated += 1 }
        }
        #expect(isolated > 100)
    }
}
