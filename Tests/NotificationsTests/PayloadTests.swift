import JSON
import Notifications
import Testing

@Suite struct PayloadTests {
    private func payload(_ text: String) throws -> Payload {
        try Payload(json: JSON(parsing: text))
    }

    private func problems(_ text: String) throws -> [Problem] {
        let json = try JSON(parsing: text)
        do throws(Problems) {
            _ = try Payload(json: json)
            return []
        } catch {
            return error.problems
        }
    }

    /// In the order in which payloads are written, so that the text itself must come back.
    @Test func everyKeyIsTypedAndRoundTrips() throws {
        let text =
            #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l","title-loc-key":"tk","#
            + #""title-loc-args":["1"],"subtitle-loc-key":"sk","subtitle-loc-args":[],"loc-key":"k","loc-args":["2","3"],"#
            + #""action":"a","action-loc-key":"ak","summary-arg":"sa","summary-arg-count":2,"sound":"as","x":{"y":null}},"#
            + #""badge":0,"#
            + #""sound":{"critical":1,"name":"n","volume":0.50,"z":[]},"thread-id":"th","category":"c","#
            + #""content-available":1,"mutable-content":0,"target-content-id":"w","interruption-level":"time-sensitive","#
            + #""relevance-score":1.0,"filter-criteria":"f","timestamp":1168364460,"event":"update","content-state":{"#
            + #""b":1.50,"a":[null]},"attributes-type":"A","attributes":{},"stale-date":1.2e9,"dismissal-date":0,"#
            + #""input-push-token":1,"input-push-channel":"Zm9vYg==","content-changed":true,"url-args":["u"],"#
            + #""unknown":null},"id":1e3}"#

        let payload = try payload(text)

        #expect(String(decoding: payload.encoded(), as: UTF8.self) == text)
        guard case .dictionary(let alert) = payload.aps?.alert, case .critical(let sound) = payload.aps?.sound else {
            throw CancellationError()
        }
        #expect(alert.other == [.init("x", ["y": .null])])
        #expect(sound.other == [.init("z", [])])
        #expect(payload.aps?.liveActivity.contentState?.map(\.key) == ["b", "a"])
        #expect(payload.aps?.other == [.init("unknown", .null)])
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
            #"{"aps":{"sound":{}},"custom":null}"#, #"{"aps":{"content-state":{},"input-push-token":0}}"#,
            #"{"aps":{"alert":{"title":{},"body":{"loc-key":"","loc-args":[],"x":1}}}}"#,
            #"{"aps":{"content-changed":false,"url-args":[]}}"#,
        ] {
            #expect(try String(decoding: payload(text).encoded(), as: UTF8.self) == text)
        }
    }

    @Test func keysKeepTheirOrder() throws {
        let text =
            #"{"z":1,"aps":{"x":[],"sound":{"volume":1,"z":0,"name":"n"},"badge":1,"stale-date":3,"event":"end","#
            + #""alert":{"body":{"z":1,"loc-args":[],"loc-key":"k"},"x":1,"title":"t"}},"a":{"c":1,"b":2},"m":null}"#

        #expect(try String(decoding: payload(text).encoded(), as: UTF8.self) == text)
    }

    @Test func addedKeysComeLast() throws {
        var payload = try payload(#"{"a":1,"aps":{"sound":"default"}}"#)
        payload.aps?.badge = 1
        payload.custom.append(.init("b", 2))

        #expect(
            String(decoding: payload.encoded(), as: UTF8.self) == #"{"a":1,"aps":{"sound":"default","badge":1},"b":2}"#)
    }

    @Test func orderIsNoPartOfAPayload() throws {
        let payload = try payload(#"{"aps":{"badge":1,"alert":"a"}}"#)
        let byHand = Payload(aps: APS(alert: .text("a"), badge: 1))

        #expect(payload == byHand)
        #expect(String(decoding: byHand.encoded(), as: UTF8.self) == #"{"aps":{"alert":"a","badge":1}}"#)
    }

    @Test func allProblemsAreReportedWithTheirPaths() throws {
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

    @Test(arguments: ["null", "\"2\"", "true", "2.5", "1e-1", "9223372036854775808", "[2]", "{}"])
    func badgeIsAWholeNumber(_ value: String) throws {
        #expect(try problems(#"{"aps":{"badge":\#(value)}}"#).map(\.path) == ["aps.badge"])
        #expect(try problems(#"{"aps":{"badge":\#(value)}}"#).map(\.code) == ["wrong-type"])
    }

    @Test func badgeHasALimitBelow() throws {
        for zero in ["0", "-0", "0.0", "2.0", "1e1"] { #expect(try problems(#"{"aps":{"badge":\#(zero)}}"#) == []) }
        #expect(try problems(#"{"aps":{"badge":-1}}"#).map(\.code) == ["out-of-range"])
    }

    @Test(arguments: [("0", true), ("1", true), ("1.0", true), ("1.01", false), ("-0.01", false), ("1e999", false)])
    func volumeIsFromZeroToOne(_ volume: String, _ isAccepted: Bool) throws {
        #expect(try problems(#"{"aps":{"sound":{"volume":\#(volume)}}}"#).isEmpty == isAccepted)
    }

    @Test(arguments: [
        ("1", true), ("0", true), ("2", false), ("true", false), ("1.0", true), ("0.5", false), ("null", false),
    ])
    func flagsAreOneOrZero(_ value: String, _ isAccepted: Bool) throws {
        #expect(try problems(#"{"aps":{"mutable-content":\#(value)}}"#).isEmpty == isAccepted)
    }

    @Test(arguments: [("true", true), ("false", true), ("1", false), ("\"true\"", false), ("null", false)])
    func contentChangedIsTrueOrFalse(_ value: String, _ isAccepted: Bool) throws {
        #expect(try problems(#"{"aps":{"content-changed":\#(value)}}"#).isEmpty == isAccepted)
    }

    @Test(arguments: ["timestamp", "stale-date", "dismissal-date"])
    func timesAreSecondsSince1970(_ key: String) throws {
        for (value, isAccepted) in [
            ("0", true), ("1168364460.5", true), ("1.2e9", true), ("99999999999", true), ("-1", false),
            ("1168364460000", false), ("1e999", false),
        ] {
            let found = try problems(#"{"aps":{"\#(key)":\#(value)}}"#)
            #expect(
                found.map { "\($0.path) \($0.code)" } == (isAccepted ? [] : ["aps.\(key) out-of-range"]), "\(value)")
        }
        #expect(
            try problems(#"{"aps":{"\#(key)":1168364460000}}"#)[0].message.description.hasSuffix(
                "looks like milliseconds"))
    }

    @Test(arguments: [
        ("Zm9v", true), ("Zm9vYg==", true), ("+/A=", true), ("", false), ("Zm9", false), ("Zm9-", false),
        ("Z===", false), ("====", false), ("Zm 9", false),
    ])
    func channelIsBase64(_ id: String, _ isAccepted: Bool) throws {
        let found = try problems(#"{"aps":{"input-push-channel":"\#(id)"}}"#)
        #expect(found.map(\.code) == (isAccepted ? [] : ["not-base64"]))
    }

    @Test func misspelledValuesGetASuggestion() throws {
        func message(_ key: String, _ word: String) throws -> String {
            let found = try problems(#"{"aps":{"\#(key)":"\#(word)"}}"#)
            #expect(found.map { "\($0.path) \($0.code)" } == ["aps.\(key) unknown-value"])
            return found[0].message.description
        }
        #expect(
            try message("interruption-level", "time-senstive")
                == "must be passive, active, time-sensitive or critical, not the text \"time-senstive\"; "
                + "did you mean time-sensitive?")
        for word in ["timeSensitive", "TIME_SENSITIVE", "time-sensitiev"] {
            #expect(try message("interruption-level", word).hasSuffix("; did you mean time-sensitive?"))
        }
        #expect(try message("interruption-level", "loud").hasSuffix("not the text \"loud\""))
        #expect(
            try message("event", "updated")
                == "must be start, update or end, not the text \"updated\"; did you mean update?")
    }

    @Test func aLiveActivitysAlertIsTyped() throws {
        let text =
            #"{"aps":{"alert":{"title":{"loc-key":"%@ is down","loc-args":["Ann"]},"body":"b","sound":"a.caf"}}}"#

        let payload = try payload(text)

        #expect(
            payload.aps?.alert
                == .dictionary(
                    Alert(
                        title: .localized(.init(locKey: "%@ is down", locArgs: ["Ann"])), body: "b", sound: "a.caf")))
        #expect(
            try problems(#"{"aps":{"alert":{"title":{"loc-key":1,"loc-args":["a",2]},"body":null,"sound":{}}}}"#)
                .map { "\($0.path) \($0.code)" } == [
                    "aps.alert.title.loc-key wrong-type", "aps.alert.title.loc-args[1] wrong-type",
                    "aps.alert.body wrong-type", "aps.alert.sound wrong-type",
                ])
    }

    @Test func pathsQuoteAmbiguousKeys() throws {
        let json = JSON.object([
            .init("aps", [:]),
            .init(
                "a.b", .array([.object([.init("", 1), .init("", 2)]), .object([.init("[0]", 1), .init("[0]", 2)])])),
        ])

        let error = #expect(throws: Problems.self) { try Payload(json: json) }

        #expect(error?.problems.map(\.path) == [#"["a.b"][0][""]"#, #"["a.b"][1]["[0]"]"#])
    }

    @Test func nestingHasALimit() throws {
        func nested(_ depth: Int) -> JSON {
            (1..<depth).reduce(JSON.object([])) { inner, _ in .array([inner]) }
        }
        let fits = JSON.object([.init("x", nested(JSON.maximumDepth - 1))])
        let tooDeep = JSON.object([.init("x", nested(JSON.maximumDepth))])

        #expect(try JSON(parsing: Payload(json: fits).encoded()) == fits)
        let error = #expect(throws: Problems.self) { try Payload(json: tooDeep) }
        #expect(error?.problems.map(\.code) == ["too-deep"])
    }

    @Test(arguments: ["[]", "1", "\"{}\"", "null"])
    func payloadIsAnObject(_ text: String) throws {
        #expect(try problems(text).map(\.code) == ["wrong-type"])
        #expect(try problems(#"{"aps":\#(text)}"#).map(\.path) == ["aps"])
    }

    @Test func messagesQuoteLongTextsInPart() throws {
        let message = try #require(
            try problems(#"{"aps":{"badge":"\#(String(repeating: "é", count: 41))"}}"#).first?.message)

        #expect(message.description.hasSuffix("not the text \"\(String(repeating: "é", count: JSON.longestQuote))…\""))
    }

    @Test func descriptionNamesEachPath() throws {
        let problems = Problems(try problems(#"{"aps":{"badge":"2","thread-id":1}}"#))

        #expect(
            problems.description
                == "aps.badge must be a whole number, like 2, not the text \"2\"; "
                + "aps.thread-id must be text, not the number 1")
    }
}
