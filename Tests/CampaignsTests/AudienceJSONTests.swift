import Campaigns
import JSON
import Notifications
import Testing

@Suite struct AudienceJSONTests {
    /// The problems of the audience, as paths and codes.
    private static func problems(_ text: String) -> [String] {
        do {
            _ = try Audience(json: JSON(parsing: text))
            return []
        } catch let error as Problems {
            return error.problems.map { "\($0.path): \($0.code)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test(arguments: [
        #"{"tag":"vip"}"#, #"{"field":"app_version","op":"at_least","value":"4.2"}"#,
        #"{"attribute":"address.city","op":"is","value":"Ely"}"#,
        #"{"attribute":"[\"a.b\"].c","op":"in","value":["x","y"]}"#,
        #"{"attribute":"score","op":"above","value":1.5}"#, #"{"attribute":"paid","op":"is","value":true}"#,
        #"{"all":[{"any":[{"opted_out":"offers"},{"opted_out":"*"},{"user_ids":["1","2"]}]},{"not":{"segment":"12"}}]}"#,
        #"{"event":"opened","campaign":"12","within_days":30}"#, #"{"event":"action","campaign":"12","action":"join"}"#,
        #"{"field":"last_seen_at","op":"older_than_days","value":7}"#,
        #"{"field":"created_at","op":"before","value":"2026-11-21T10:00:00.000Z"}"#,
        #"{"attribute":"born","op":"before","value":"2026-11-21"}"#,
        #"{"attribute":"born","op":"after","value":"2024-02-29"}"#,
        #"{"attribute":"paid","op":"within_days","value":7}"#,
        #"{"attribute":"paid","op":"older_than_days","value":7}"#,
        #"{"attribute":"trial","op":"within_next_days","value":3}"#,
        #"{"attribute":"born","op":"anniversary_in_days","value":0}"#,
        #"{"field":"locale","op":"exists"}"#, #"{"field":"is_test","op":"is","value":false}"#,
        #"{"field":"authorization_status","op":"not_in","value":["denied","provisional"]}"#,
    ])
    func conditionsComeBackAsTheyWere(_ text: String) throws {
        let json = JSON.object([JSON.Member("include", try JSON(parsing: text))])
        #expect(try Audience(json: json).json == json)
    }

    @Test(arguments: [
        ("zh-TW", "zh-hant-tw"), ("iw", "he"), ("UK", "gb"), ("-uk", "gb"), ("uk", "uk"), ("tw", "tw"), ("no", "no"),
        ("Hant", "hant"), ("_CH", "ch"), ("sr_RS", "sr-cyrl-rs"), ("zh-hant-tw", "zh-hant-tw"), ("TW", "tw"),
        ("IN", "in"),
    ])
    func partsOfLocalesHaveTheFormOfTheDevices(_ text: String, _ part: String) throws {
        let json: JSON = ["include": ["field": "locale", "op": "contains", "value": .string(text)]]
        #expect(try Audience(json: json).include == .field(.locale, .text(.contains(part))))
    }

    @Test func aDayIsATimeInUTC() throws {
        let json: JSON = ["include": ["field": "created_at", "op": "before", "value": "2026-11-27"]]
        #expect(try Audience(json: json).json["include"]?["value"] == "2026-11-27T00:00:00.000Z")
    }

    @Test func wholeNumbersAreReadByTheirValue() throws {
        let json = try JSON(parsing: #"{"include":{"field":"created_at","op":"within_days","value":3e1}}"#)
        #expect(try Audience(json: json).include == .field(.createdAt, .time(.withinDays(30))))
    }

    @Test func emptyAudienceIsEverybodyAndNullIsIgnored() throws {
        #expect(try Audience(json: [:]).isEverybody)
        #expect(try Audience(json: ["include": .null, "exclude": .null]).isEverybody)
        #expect(try Audience(json: ["include": ["tag": "a", "op": .null]]).include == .tag("a"))
    }

    @Test(arguments: [
        (#"[]"#, ": wrong-type"), (#"{"includes":{"tag":"a"}}"#, "includes: unknown-field"),
        (#"{"include":"vip"}"#, "include: wrong-type"), (#"{"include":{}}"#, "include: no-condition"),
        (#"{"include":{"atribute":"a"}}"#, "include.atribute: unknown-field"),
        (#"{"include":{"tag":"a","any":[]}}"#, "include.any: multiple-conditions"),
        (#"{"include":{"all":[]}}"#, "include.all: empty"), (#"{"include":{"all":{}}}"#, "include.all: wrong-type"),
        (#"{"include":{"any":[{"tag":"a"},{"tag":7}]}}"#, "include.any[1].tag: wrong-type"),
        (#"{"include":{"tag":""}}"#, "include.tag: empty"),
        (#"{"include":{"tag":"a\u0000"}}"#, "include.tag: null-character"),
        (#"{"include":{"opted_out":"No!"}}"#, "include.opted_out: not-a-topic-key"),
        (#"{"include":{"user_ids":[]}}"#, "include.user_ids: empty"),
        (#"{"include":{"user_ids":["a",1]}}"#, "include.user_ids[1]: wrong-type"),
        (#"{"include":{"segment":12}}"#, "include.segment: wrong-type"),
        (#"{"include":{"field":"app_versoin","op":"is","value":"4"}}"#, "include.field: unknown-field"),
        (#"{"include":{"field":"locale"}}"#, "include.op: missing"),
        (#"{"include":{"field":"locale","op":"is"}}"#, "include.value: missing"),
        (#"{"include":{"field":"locale","op":"exists","value":"en"}}"#, "include.value: not-allowed"),
        (#"{"include":{"field":"locale","op":"at_least","value":"en"}}"#, "include.op: unknown-op"),
        (#"{"include":{"field":"locale","op":"is","value":"en","vlaue":1}}"#, "include.vlaue: unknown-field"),
        (#"{"include":{"field":"locale","op":"contains","value":""}}"#, "include.value: empty"),
        (#"{"include":{"field":"language","op":"is","value":"zh-Hant"}}"#, "include.value: bad-language"),
        (#"{"include":{"field":"locale","op":"in","value":["en","Chinese"]}}"#, "include.value[1]: bad-locale"),
        (#"{"include":{"field":"locale","op":"starts_with","value":"zh-H"}}"#, "include.value: bad-locale"),
        (#"{"include":{"field":"time_zone","op":"is","value":"Mars/Base"}}"#, "include.value: unknown-time-zone"),
        (#"{"include":{"field":"environment","op":"is","value":"prod"}}"#, "include.value: unknown-value"),
        (
            #"{"include":{"field":"environment","op":"in","value":["production","x"]}}"#,
            "include.value[1]: unknown-value"
        ),
        (#"{"include":{"field":"app_version","op":"is","value":4.2}}"#, "include.value: wrong-type"),
        (#"{"include":{"field":"app_version","op":"is","value":"four"}}"#, "include.value: not-a-version"),
        (
            #"{"include":{"field":"os_version","op":"is","value":"1234567890123456789"}}"#,
            "include.value: not-a-version"
        ),
        (#"{"include":{"field":"created_at","op":"before","value":1732190400}}"#, "include.value: wrong-type"),
        (#"{"include":{"field":"created_at","op":"before","value":"yesterday"}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"born","op":"before","value":"2026-02-29"}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"born","op":"after","value":"2026-11-21T10:00:00Z"}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"born","op":"within_next_days","value":0}}"#, "include.value: out-of-range"),
        (#"{"include":{"attribute":"born","op":"anniversary_in_days","value":367}}"#, "include.value: out-of-range"),
        (#"{"include":{"field":"created_at","op":"anniversary_in_days","value":1}}"#, "include.op: unknown-op"),
        (#"{"include":{"field":"created_at","op":"within_days","value":0}}"#, "include.value: out-of-range"),
        (#"{"include":{"field":"created_at","op":"within_days","value":1.5}}"#, "include.value: wrong-type"),
        (#"{"include":{"field":"is_test","op":"is","value":"yes"}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"a..b","op":"exists"}}"#, "include.attribute: not-an-attribute"),
        (#"{"include":{"attribute":"a","op":"at_least","value":"4"}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"a","op":"is","value":[1]}}"#, "include.value: wrong-type"),
        (#"{"include":{"attribute":"a","op":"above","value":1e400}}"#, "include.value: out-of-range"),
        (#"{"include":{"attribute":"a","op":"above","value":1e-400}}"#, "include.value: out-of-range"),
        (#"{"include":{"attribute":"a","op":"in","value":[]}}"#, "include.value: empty"),
        (#"{"include":{"event":"open","campaign":"1"}}"#, "include.event: unknown-event"),
        (#"{"include":{"event":"opened"}}"#, "include.within_days: missing"),
        (#"{"include":{"event":"opened","within_days":91}}"#, "include.within_days: out-of-range"),
        (#"{"include":{"event":"opened","campaign":"1","action":"a"}}"#, "include.action: not-allowed"),
        (#"{"include":{"event":"opened","campaign":1}}"#, "include.campaign: wrong-type"),
    ])
    func conditionsThatCannotMatchAreRejectedWithTheirPath(_ text: String, _ problem: String) {
        #expect(Self.problems(text) == [problem])
    }

    @Test(arguments: [
        ("locale", "is", "iw_IL", "he-IL"), ("locale", "is", "zh", "zh-Hans"), ("locale", "is_not", "de-ch", "de-CH"),
        ("locale", "starts_with", "zh-TW", "zh-Hant-TW"), ("locale", "starts_with", "zh_", "zh"),
        ("locale", "starts_with", "no", "nb"), ("locale", "contains", "_CH", "ch"), ("language", "is", "iw", "he"),
        ("language", "is_not", "SH", "sr"), ("language", "is", "fre", "fr"),
        ("time_zone", "is", "Asia/Calcutta", "Asia/Kolkata"),
        ("time_zone", "starts_with", "US", "us"),
    ])
    func valuesOfLocalesAndZonesAreCanonical(_ field: String, _ op: String, _ value: String, _ expected: String) throws
    {
        let condition: JSON = ["field": .string(field), "op": .string(op), "value": .string(value)]
        #expect(try Audience(json: ["include": condition]).json["include"]?["value"] == .string(expected))
    }

    @Test func allProblemsAreReportedTogether() {
        let text = #"{"include":{"all":[{"tag":1},{"field":"x","op":"is"}]},"exclude":{"any":[]},"more":1}"#
        #expect(
            Self.problems(text) == [
                "include.all[0].tag: wrong-type", "include.all[1].field: unknown-field", "exclude.any: empty",
                "more: unknown-field",
            ])
    }

    @Test func messagesSuggestACorrection() {
        func message(_ condition: JSON) -> String {
            do {
                _ = try Audience(json: ["include": condition])
                return ""
            } catch {
                return error.problems[0].message.description
            }
        }
        #expect(message(["field": "app_versoin", "op": "is"]).hasSuffix("did you mean app_version?"))
        #expect(message(["field": "locale", "op": "start_with"]).hasSuffix("did you mean starts_with?"))
        #expect(message(["field": "locale", "op": "below"]).contains("is, is_not, in, not_in, starts_with"))
        #expect(message(["field": "authorization_status", "op": "is", "value": "Denied"]).hasSuffix("mean denied?"))
        #expect(message(["field": "app_version", "op": "is", "value": 4.1]).contains(#"like "4.1""#))
        #expect(message(["field": "colour", "op": "is"]).contains("user_id"))
    }

    @Test func limitsHold() throws {
        func nested(_ depth: Int) -> JSON { (1..<depth).reduce(["tag": "a"]) { json, _ in ["not": json] } }
        #expect(try Audience(json: ["include": nested(Audience.maximumDepth)]).include != nil)
        let tooDeep = "include" + String(repeating: ".not", count: Audience.maximumDepth)
        let deep = JSON.object([JSON.Member("include", nested(Audience.maximumDepth + 1))])
        #expect(Self.problems(String(decoding: deep.encoded(), as: UTF8.self)) == ["\(tooDeep): too-deep"])

        func many(_ count: Int) -> String {
            let tags = Array(repeating: #"{"tag":"a"}"#, count: count - 1).joined(separator: ",")
            return #"{"include":{"any":[\#(tags)]}}"#
        }
        #expect(Self.problems(many(Audience.maximumConditions)).isEmpty)
        #expect(
            Self.problems(many(Audience.maximumConditions + 40)) == ["include.any[199]: too-many-conditions"])

        func ids(_ count: Int) -> String {
            let ids = Array(repeating: #""1""#, count: count).joined(separator: ",")
            return #"{"include":{"user_ids":["1"]},"exclude":{"user_ids":[\#(ids)]}}"#
        }
        #expect(Self.problems(ids(Audience.maximumUserIDs - 1)).isEmpty)
        #expect(Self.problems(ids(Audience.maximumUserIDs)) == ["exclude.user_ids: too-many"])
    }

    @Test func summariesAreEnglish() throws {
        func summary(_ text: String) throws -> String { try Audience(json: JSON(parsing: text)).summary }
        #expect(try summary("{}") == "everybody")
        #expect(
            try summary(
                #"{"include":{"all":[{"field":"app_version","op":"at_least","value":"4.2"},{"tag":"vip"}]}}"#)
                == "app version at least 4.2 and tag vip")
        #expect(
            try summary(
                #"{"include":{"all":[{"any":[{"tag":"a b"},{"segment":"3"}]},{"field":"last_seen_at","op":"within_days","value":7}]},"exclude":{"not":{"any":[{"opted_out":"x"},{"event":"opened","campaign":"2"}]}}}"#
            )
                == "(tag “a b” or segment 3) and last seen in the last 7 days, except not (opted out of x or opened campaign 2)"
        )
        #expect(
            try summary(#"{"exclude":{"user_ids":["1","2","3","4","5"]}}"#)
                == "everybody, except user id is 1, 2, 3 or one of 2 more")
    }

    @Test func pathsOfAttributesAreReadAsTheyAreWritten() throws {
        for names in [["a"], ["a", "b c"], ["a.b", "c"], [""], ["x", "é\"\\"], ["[", "]"], ["日本", "0"]] {
            #expect(try AttributePath(AttributePath(names: names).description).names == names)
        }
        for text in ["", ".", "a.", ".a", "a[", "a[0]", #"a["x"]b"#, #"a.["x"]"#, #"["x]"#, "a\"b"] {
            #expect(throws: InvalidValue.self) { try AttributePath(text) }
        }
        #expect(throws: InvalidValue.self) { try AttributePath("a.a.a.a.a.a.a.a.a") }
    }
}
