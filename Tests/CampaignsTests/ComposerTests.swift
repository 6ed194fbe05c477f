import Notifications
import Testing

@testable import Campaigns

struct ComposerTests {
    private let id = MessageID(messageNumber: 5, device: 6, tag: .max)

    private func compose(_ payload: Payload, key: String) -> [UInt8] {
        let composer = Composer(payload: payload, messageIDKey: key)
        // One byte behind tells whether it stays in its bounds.
        var buffer = [UInt8](repeating: 0xee, count: composer.length + 1)
        buffer.withUnsafeMutableBytes { buffer in
            Array(id.text.utf8).withUnsafeBytes {
                composer.write(id: $0, into: UnsafeMutableRawBufferPointer(rebasing: buffer.dropLast()))
            }
        }
        #expect(buffer.last == 0xee)
        return Array(buffer.dropLast())
    }

    private struct NotAnObject: Error {}

    private func expectPayloadAndID(_ text: String, key: String) throws {
        let json = try JSON(parsing: text)
        guard case .object(let members) = json else { throw NotAnObject() }
        let bytes = compose(try Payload(json: json), key: key)
        #expect(bytes == JSON.object(members + [JSON.Member(key, .string(id.text))]).encoded())
        #expect(try JSON(parsing: bytes)[key] == .string(id.text))
    }

    @Test(arguments: [
        "{}", #"{"aps":{}}"#, #"{"aps":{"alert":"Grüße, \"du\"\n"},"link":"app://x","n":[1,2.5,null,{"a":{}}]}"#,
        #"{"link":"x"}"#,
    ])
    func payloadIsTheJSONAndTheID(text: String) throws {
        try expectPayloadAndID(text, key: "i")
    }

    @Test(arguments: ["i", "", #"a"b"#, #"back\slash"#, "tab\tnew\nline", "Schlüssel", "🔔", "\u{1}"])
    func keyIsEscaped(key: String) throws {
        try expectPayloadAndID(#"{"aps":{"alert":"Hi"},"z":1}"#, key: key)
    }
}
