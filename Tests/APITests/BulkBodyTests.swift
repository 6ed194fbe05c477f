import JSON
import Notifications
import Testing

@testable import API

struct BulkBodyTests {
    @Test(arguments: [
        #"{"installation":"\ud800"}"#, #"{"installation":"b","installation":"b"}"#, #"{"attributes":{"n":01}}"#, "NaN",
        #"{"installation" "b"}"#, #"{"installation":"b"/*comment*/}"#, #"{"installation":"b}"#, "",
        #"{"installation" "b","attributes":{"l":[{"x":1},{"y":2}]}}"#,
    ])
    func deviceThatIsNotJSONIsRefusedAlone(_ device: String) throws {
        let (first, last) = (Self.device("a"), Self.device("c"))

        let (body, problems) = try BulkBody.read(Array(#"{"devices":[\#(first),\#(device),\#(last)]}"#.utf8))

        #expect(problems.isEmpty)
        #expect(body.items.map { $0.problems.map(\.code) } == [[], ["invalid-json"], []])
        #expect(body.items.map(\.body.installation) == ["a", nil, "c"])
    }

    @Test func deviceThatIsNotUTF8IsRefusedAlone() throws {
        let text = Array(#"{"devices":[{"nickname":""#.utf8) + [0xFF] + Array(#""},\#(Self.device("b"))]}"#.utf8)

        let items = try BulkBody.read(text).body.items

        #expect(items[0].problems.map(\.message.description) == ["is not JSON: the text is not valid UTF-8"])
        #expect(items.map(\.problems.isEmpty) == [false, true])
    }

    @Test func byteOrderMarkBeforeTheBodyIsIgnored() throws {
        let text = "\u{FEFF}{\"devices\":[\(Self.device("a"))]}"
        #expect(try BulkBody.read(Array(text.utf8)).body.items.map(\.problems.isEmpty) == [true])
    }

    private static func device(_ name: String) -> String {
        #"{"installation":"\#(name)","token":"\#(String(repeating: "0a", count: 32))","environment":"production"}"#
    }
}
