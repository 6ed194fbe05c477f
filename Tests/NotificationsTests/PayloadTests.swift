import Notifications
import Testing

@Suite struct PayloadTests {
    private func payload(_ text: String) throws -> Payload {
        try Payload(json: JSON(parsing: text))
    }

    private func problems(_ text: String) throws -> [Problem] {
        let json = try JSON(parsing: text)
        do throws(PayloadProblems) {
            _ = try Payload(json: json)
            return []
        } catch {
            return error.problems
        }
    }

    /// In the order in which payloads are written, so that the text itself must come back.
    @Test func everyKeyIsTypedAndComesBack() throws {
        let text =
            #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l","title-loc-key":"tk","#
            + #""title-loc-args":["1"],"subtitle-loc-key":"sk","subtitle-loc-args":[],"loc-key":"k","loc-args":["2","3"],"#
            + #""action":"a","action-loc-key":"ak","summary-arg":"sa","summary-arg-count":2,"x":{"y":null}},"badge":0,"#
            + #""sound":{"critical":1,"name":"n","volume":0.50,"z":[]},"thread-id":"th","category":"c","#
            + #""content-available":1,"mutable-content":0,"target-content-id":"w","interruption-level":"time-sensitive","#
            + #""relevance-score":1.0,"filter-criteria":"f","timestamp":1168364460,"event":"update"},"id":1e3}"#

        let payload = try payload(text)

        #expect(String(decoding: payload.encoded(), as: UTF8.self) == text)
        guard case .dictionary(let alert) = payload.aps?.alert, case .critical(let sound) = payload.aps?.sound else {
            throw CancellationError()
        }
        #expect(alert.other == [.init("x", ["y": .null])])
        #expect(sound.other == [.init("z", [])])
        #expect(payload.aps?.other.map(\.key) == ["timestamp", "event"])
        #expect(payload.custom.map(\.key) == ["id"])
    }

    @Test func absentNullZeroAndAValueDiffer() throws {
        #expect(try payload(#"{"aps":{}}"#).aps?.badge == nil)
        #expect(try payload(#"{"aps":{"badge":0}}"#).aps?.badge == 0)
        #expect(try payload(#"{"aps":{}}"#) != payload("{}"))
        #expect(try payload(#"{"aps":{"content-available":0}}"#).aps?.contentAvailable == false)
        for text in [
            "{}", #"{"aps":{}}"#, #"{"aps":{"badge":0}}"#, #"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{}}}"#,
            #"{"aps":{"alert":{"action-loc-key":null}}}"#, #"{"aps":{"content-available":0}}"#, #"{"mdm":"magic"}"#,
            #"{"aps":{"sound":{}},"custom":null}"#,
        ] {
            #expect(try String(decoding: payload(text).encoded(), as: UTF8.self) == text)
        }
    }

    @Test func customMembersKeepTheirOrder() throws {
        let text = #"{"z":1,"aps":{},"a":{"c":1,"b":2},"m":null}"#

        #expect(
            try String(decoding: payload(text).encoded(), as: UTF8.self)
                == #"{"aps":{},"z":1,"a":{"c":1,"b":2},"m":null}"#)
    }

    @Test func allProblemsComeAtOnceWithTheirPaths() throws {
        let found = try problems(
            #"{"aps":{"alert":{"title":1,"loc-args":["a",2,null],"action-loc-key":3,"summary-arg-count":"1"},"#
                + #""badge":-1,"sound":{"critical":true,"volume":1.5,"name":[]},"thread-id":7,"content-available":true,"#
                + #""mutable-content":"1","interruption-level":"time-senstive","relevance-score":"0.5"},"x":1}"#)

        #expect(
            found.map { "\($0.path) \($0.code)" } == [
                "aps.alert.title wrong-type", "aps.alert.loc-args[1] wrong-type", "aps.alert.loc-args[2] wrong-type",
                "aps.alert.action-loc-key wrong-type", "aps.alert.summary-arg-count wrong-type",
                "aps.badge out-of-range", "aps.sound.name wrong-type", "aps.sound.critical wrong-type",
                "aps.sound.volume out-of-range", "aps.thread-id wrong-type", "aps.content-available wrong-type",
                "aps.mutable-content wrong-type", "aps.interruption-level unknown-value",
                "aps.relevance-score wrong-type",
            ])
        #expect(found.allSatisfy { $0.severity == .error })
    }

    @Test(arguments: ["null", "\"2\"", "true", "2.0", "1e1", "-0", "9223372036854775808", "[2]", "{}"])
    func badgeIsAWholeNumber(_ value: String) throws {
        #expect(try problems(#"{"aps":{"badge":\#(value)}}"#).map(\.path) == ["aps.badge"])
        #expect(try problems(#"{"aps":{"badge":\#(value)}}"#).map(\.code) == ["wrong-type"])
    }

    @Test func badgeHasALimitBelow() throws {
        #expect(try problems(#"{"aps":{"badge":0}}"#) == [])
        #expect(try problems(#"{"aps":{"badge":-1}}"#).map(\.code) == ["out-of-range"])
    }

    @Test(arguments: [("0", true), ("1", true), ("1.0", true), ("1.01", false), ("-0.01", false), ("1e999", false)])
    func volumeIsFromZeroToOne(_ volume: String, _ isAccepted: Bool) throws {
        #expect(try problems(#"{"aps":{"sound":{"volume":\#(volume)}}}"#).isEmpty == isAccepted)
    }

    @Test(arguments: [("1", true), ("0", true), ("2", false), ("true", false), ("1.0", false), ("null", false)])
    func flagsAreOneOrZero(_ value: String, _ isAccepted: Bool) throws {
        #expect(try problems(#"{"aps":{"mutable-content":\#(value)}}"#).isEmpty == isAccepted)
    }

    @Test(arguments: ["[]", "1", "\"{}\"", "null"])
    func payloadIsAnObject(_ text: String) throws {
        #expect(try problems(text).map(\.code) == ["wrong-type"])
        #expect(try problems(#"{"aps":\#(text)}"#).map(\.path) == ["aps"])
    }

    @Test func messagesQuoteLongTextsInPart() throws {
        let message = try #require(
            try problems(#"{"aps":{"badge":"\#(String(repeating: "é", count: 41))"}}"#).first?.message)

        #expect(message.hasSuffix("not the text \"\(String(repeating: "é", count: 40))…\""))
    }

    @Test func descriptionNamesEachPath() throws {
        let problems = PayloadProblems(try problems(#"{"aps":{"badge":"2","thread-id":1}}"#))

        #expect(
            problems.description
                == "aps.badge must be a whole number, like 2, not the text \"2\"; "
                + "aps.thread-id must be text, not the number 1")
    }
}
