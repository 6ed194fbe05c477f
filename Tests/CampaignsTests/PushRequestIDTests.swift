import JSON
import Notifications
import Testing

@testable import Campaigns

@Suite struct PushRequestIDTests {
    @Test func textLeadsBackToTheParts() throws {
        let one = PushRequestID([.init(messageNumber: 118, first: 0, count: 2)])
        #expect(one.text == "118-0-2")
        #expect(PushRequestID("118-0-2") == one)
        let two = PushRequestID([
            .init(messageNumber: 119, first: 7, count: 1), .init(messageNumber: 118, first: 0, count: 2),
        ])
        #expect(two.text == "118-0-2.119-7-1")
        #expect(PushRequestID(two.text) == two)
    }

    @Test(arguments: [
        "", "118", "118-0", "118-0-0", "0-0-1", "118--1-2", "118-0-2.", ".118-0-2", "0118-0-2", "118-0-2-3", "+118-0-2",
        "119-7-1.118-0-2", "118-0-2.119-7-1.120-0-1", "118-5000-1", "118-0-5001", "1099511627776-0-1",
        "99999999999999999999-0-1", "118-0-2 ", "a-b-c",
    ])
    func invalidTextIsRejected(_ text: String) {
        #expect(PushRequestID(text) == nil)
    }

    @Test func receiptIsReadAsItWasWritten() {
        let id = PushRequestID([
            .init(messageNumber: MessageID.maximumMessageNumber, first: 4_999, count: 5_000),
            .init(messageNumber: 1, first: 0, count: 1),
        ])
        let receipt = PushReceipt(
            id: id,
            entries: [
                .init(target: 99, id: MessageID(messageNumber: 1, device: 2, tag: .max), code: OutcomeCode.pending),
                .init(target: 0, id: PushPayload.placeholderID, code: OutcomeCode.suppressedDenied),
            ], skippedTargets: [3, 98])
        #expect(PushReceipt(bytes: receipt.bytes) == receipt)
        // Cut anywhere inside of an entry it is none.
        for length in 0..<receipt.bytes.count where length < 25 || (length - 25) % 19 != 0 {
            #expect(PushReceipt(bytes: Array(receipt.bytes.prefix(length))) == nil)
        }
    }

    @Test func messageIDIsWrittenAtTheEndOfThePayload() throws {
        let text = #"{"aps":{},"i":""# + PushPayload.placeholderID.text + "\"}"
        let payload = try #require(PushPayload(Array(text.utf8)))
        let id = MessageID(messageNumber: 77, device: 5, tag: 1 << 40)
        var buffer = [UInt8](repeating: 0x20, count: payload.count + 3)
        buffer.withUnsafeMutableBytes { payload.write(id, into: $0) }
        #expect(String(decoding: buffer, as: UTF8.self) == #"{"aps":{},"i":""# + id.text + "\"}   ")
        #expect(PushPayload(Array(#"{"aps":{}}"#.utf8)) == nil)
        #expect(PushPayload([]) == nil)
    }

    @Test(arguments: [
        ("k", true), ("order 7", true), (String(repeating: "k", count: 255), true), ("", false),
        (String(repeating: "k", count: 256), false), ("é", false), ("a\nb", false),
    ])
    func idempotencyKeyIsPrintable(_ text: String, _ isKey: Bool) {
        #expect((IdempotencyKey(text, of: .apiKey(1), bodyHash: []) != nil) == isKey)
    }

    @Test func contentIsComposedForOnePerson() throws {
        let content = TemplateContent(payload: ["aps": ["alert": "Hi {{ first_name }}"]])
        let composer = ContentComposer(try CompiledContent(content, in: ContentContext()), now: 0)
        let ada = RecipientProfile(attributes: ["first_name": "Ada"])
        guard case .payload(let bytes) = composer.compose(for: ada, id: PushPayload.placeholderID) else {
            Issue.record("no payload")
            return
        }
        #expect(try JSON(parsing: bytes)["aps"]?["alert"] == "Hi Ada")
        #expect(PushPayload(bytes) != nil)
        guard case .missing(let field) = composer.compose(for: RecipientProfile(), id: PushPayload.placeholderID) else {
            Issue.record("nothing is missing")
            return
        }
        #expect(field == .attribute(["first_name"]))
        let long = RecipientProfile(attributes: ["first_name": .string(String(repeating: "x", count: 5_000))])
        guard case .tooLong = composer.compose(for: long, id: PushPayload.placeholderID) else {
            Issue.record("not too long")
            return
        }
    }
}
