import Campaigns
import JSON
import Notifications
import Store
import TestSupport
import Testing

@testable import API

struct RegistrationBodyTests {
    private func read(
        _ text: String, _ form: RegistrationBody.Form = .register
    ) throws -> (body: RegistrationBody, problems: [Problem]) {
        try RegistrationBody.read(Array(text.utf8), as: form)
    }

    /// One of several devices, which names its installation, kind and activity.
    private static let listed: RegistrationBody.Form = {
        var form = RegistrationBody.Form.update
        form.namesInstallation = true
        return form
    }()

    private func codes(_ text: String, _ form: RegistrationBody.Form = .update) throws -> [String] {
        try read(text, form).problems.map { "\($0.path) \($0.code)" }
    }

    @Test func wholeBodyIsRead() throws {
        let (body, problems) = try read(
            #"""
            {"token":"00fFa0","environment":"development","locale":"zh_Hant_HK","time_zone":"Europe/Berlin",
             "os_version":"26.1","app_version":"4\u002e2","model":null,"user_id":"anna","authorization_status":"provisional",
             "attributes": {"plan" : "free", "n":[1,2.50]} }
            """#)
        #expect(problems.isEmpty)
        #expect(body.warnings.map(\.code) == ["short-token"])
        var expected = DeviceChanges()
        expected.token = try DeviceToken(bytes: [0, 0xFF, 0xA0])
        expected.environment = .development
        expected.locale = .value("zh-Hant-HK")
        expected.timeZone = .value("Europe/Berlin")
        expected.osVersion = .value("26.1")
        expected.appVersion = .value("4.2")
        expected.model = .null
        expected.userID = .value("anna")
        expected.authorization = .provisional
        expected.profile.attributes = .state(
            DeviceAttributes(
                text: Array(#"{"plan":"free","n":[1,2.5]}"#.utf8), lengths: [.init("plan", 4), .init("n", 8)]))
        expected.settings = Array("{}".utf8)
        #expect(body.changes == expected)
    }

    @Test func oddLocaleAndZoneAreWarnedOfAndNotRefused() throws {
        for odd in ["", "x", "de-", "English", "german-languages-spoken", "12", "d e", "Ελ"] {
            let (body, problems) = try read(#"{"locale":"\#(odd)","time_zone":"Mars/Base"}"#, .update)
            #expect(problems.isEmpty)
            #expect(body.changes.locale == .absent)
            #expect(body.changes.timeZone == .absent)
            #expect(body.warnings.map(\.code) == ["unknown-locale", "unknown-time-zone"])
        }
        for (text, locale) in [
            ("en_US@calendar=japanese", "en-US"), ("zh-TW", "zh-Hant-TW"), ("zh", "zh-Hans"), ("iw_IL", "he-IL"),
            ("de-ch", "de-CH"), ("sr-RS", "sr-Cyrl-RS"),
        ] {
            #expect(try read(#"{"locale":"\#(text)"}"#, .update).body.changes.locale == .value(locale))
        }
    }

    @Test(arguments: [
        ("GMT+0800", "Etc/GMT-8"), ("GMT-05:00", "Etc/GMT+5"), ("UTC+1", "Etc/GMT-1"), ("GMT+0000", "UTC"),
        ("GMT+0530", "Asia/Kolkata"), ("Asia/Calcutta", "Asia/Kolkata"), ("europe/zurich", "Europe/Zurich"),
        ("localtime", nil),
        ("GMT+1500", nil), ("GMT+0537", nil), ("GMT0800", nil),
    ])
    func zoneHasOneName(_ text: String, _ zone: String?) throws {
        let (body, _) = try RegistrationBody.read(Array(#"{"time_zone":"\#(text)"}"#.utf8), as: .update)
        #expect(body.changes.timeZone == zone.map { .value($0) } ?? .absent)
        #expect(body.warnings.isEmpty == (zone != nil))
    }

    @Test(arguments: [
        ("v4.3", "4.3"), ("V4.3.1", "4.3.1"), (" 4.3 ", "4.3"), ("v. 4.3", "4.3"), ("v4.3-beta", "4.3-beta"),
        ("4.3 (123)", "4.3 (123)"), ("vNext", "vNext"), ("v", "v"), (" ", " "), ("4.3", "4.3"),
        ("Version 4.3", "4.3"), ("ver4.3", "4.3"), ("release-4.3", "4.3"), ("r4.3", "4.3"), ("App 4.3", "4.3"),
        ("４.３", "4.3"), ("٤٫٣", "4.3"), ("release-4.3-beta2", "4.3-beta2"), ("a3f9c2", "a3f9c2"), ("build 12", "12"),
    ])
    func appVersionHasNoLetterBeforeItsNumber(_ text: String, _ version: String) throws {
        let body = try read(#"{"app_version":"\#(text)"}"#, .update).body

        #expect(body.changes.appVersion == .value(version))
    }

    @Test(arguments: [
        ("4.3", []), ("v4.3", []), ("4.3-beta", []), ("４.３", []), ("release-4.3", ["unusual-version"]),
        ("unknown", ["unusual-version"]), ("a3f9c2", ["unusual-version"]),
    ])
    func unusualAppVersionIsWarnedOf(_ text: String, _ codes: [String]) throws {
        #expect(try read(#"{"app_version":"\#(text)"}"#, .update).body.warnings.map(\.code) == codes)
    }

    @Test func emptyFactIsWarnedOfAndKeepsTheStoredOne() throws {
        let (body, problems) = try read(#"{"app_version":"","os_version":"","model":""}"#, .update)
        #expect(problems.isEmpty)
        #expect(
            body.warnings.map { "\($0.path) \($0.code)" }.sorted() == [
                "app_version empty", "model empty", "os_version empty",
            ])
        #expect(
            body.changes.appVersion == .absent && body.changes.osVersion == .absent && body.changes.model == .absent)
    }

    @Test func spacesAroundALocaleAndAZoneHaveNoMeaning() throws {
        let body = try read(#"{"locale":" de\n","time_zone":" Europe/Berlin "}"#, .update).body
        #expect(body.changes.locale == .value("de") && body.changes.timeZone == .value("Europe/Berlin"))
        #expect(body.warnings.isEmpty)
    }

    @Test(arguments: ["und", "mul", "zxx", "und-US"])
    func aTagWithoutALanguageIsNoLocale(_ text: String) throws {
        #expect(try read(#"{"locale":"\#(text)"}"#, .update).body.warnings.map(\.code) == ["unknown-locale"])
    }

    @Test(arguments: [
        ("18.2", "18.2", true), ("iOS 18.2", "18.2", false), ("Version 18.2.1 (Build 22C152)", "18.2.1", false),
        ("latest", "latest", false),
        ("v18.2", "18.2", true), (" 18.2 ", "18.2", true),
    ])
    func osVersionIsReducedToItsNumber(_ text: String, _ version: String, _ isUsual: Bool) throws {
        let body = try read(#"{"os_version":"\#(text)"}"#, .update).body
        #expect(body.changes.osVersion == .value(version))
        #expect(body.warnings.map(\.code) == (isUsual ? [] : ["unusual-version"]))
    }

    @Test func implausibleTokenIsWarnedOfOrExplained() throws {
        let token = String(repeating: "ab", count: 32)
        #expect(try read(#"{"token":"\#(token)","environment":"production"}"#).body.warnings == [])
        #expect(
            try read(#"{"token":"abcd","environment":"production"}"#).body.warnings.map(\.code) == ["short-token"])
        let base64 = "gKx+8E0a5Zr1yS2mHq0aDxw0m2o2M2q9D7n0f8yq3mE="
        #expect(try codes(#"{"token":"\#(base64)"}"#) == ["token looks-like-base64"])
        #expect(try codes(#"{"token":"<ab cd>"}"#) == ["token not-hexadecimal"])
    }

    /// A PUT clears the members that it leaves out, except those that people and servers set, too.
    @Test func registrationReplacesWhatItLeavesOut() throws {
        let changes = try read(#"{"token":"00","environment":"production","locale":"English"}"#).body.changes
        #expect(changes.userID == .null && changes.timeZone == .null && changes.model == .null)
        #expect(changes.profile.attributes == .state(.none) && changes.authorization == .authorized)
        #expect(changes.settings == Array("{}".utf8))
        // A locale that can't be used does not remove a good one.
        #expect(changes.locale == .absent)
        #expect(changes.profile.tags == .keep && changes.profile.optOuts == .keep)
        #expect(changes.isTest == nil && !changes.nickname.isGiven)
        #expect(try read("{}", .update).body.changes == DeviceChanges())
    }

    @Test func attributesTagsAndOptOutsAreMergedReplacedAddedAndRemoved() throws {
        func profile(_ members: String, _ form: RegistrationBody.Form = .update) throws -> ProfileChanges {
            let (body, problems) = try read("{\(members)}", form)
            #expect(problems.isEmpty)
            return body.changes.profile
        }
        func isMerge(_ change: AttributesChange) -> Bool { if case .merge = change { true } else { false } }
        #expect(isMerge(try profile(#""attributes":{"a":1}"#).attributes))
        #expect(isMerge(try profile(#""attributes":{}"#).attributes))
        #expect(try profile(#""attributes":null"#).attributes == .replace(.none))
        #expect(try profile(#""replace_attributes":{"a":1}"#).attributes.given?.text == Array(#"{"a":1}"#.utf8))
        #expect(
            try profile(#""add_tags":["b","a"],"remove_tags":["c"]"#).tags == .edit(add: ["a", "b"], remove: ["c"]))
        #expect(try profile(#""remove_opt_outs":["news"]"#).optOuts == .edit(add: [], remove: ["news"]))
        #expect(try codes(#"{"tags":["a"],"add_tags":["b"]}"#) == ["add_tags not-allowed"])
        #expect(try codes(#"{"add_tags":["a"],"remove_tags":["a"]}"#) == ["add_tags not-allowed"])
        #expect(try codes(#"{"attributes":{},"replace_attributes":{}}"#) == ["replace_attributes not-allowed"])
        #expect(
            try codes(#"{"token":"00","environment":"production","replace_attributes":{}}"#, .register)
                == ["replace_attributes unknown-field"])
    }

    @Test func personHasAProfileOfTheirOwn() throws {
        let (body, problems) = try read(
            #"{"user_id":"ada","person":{"attributes":{"name":"Ada","old":null},"add_tags":["vip"]}}"#, .update)
        #expect(problems.isEmpty && body.changes.profile.isEmpty)
        #expect(body.person?.attributes.given?.removesSome == true)
        #expect(body.person?.tags == .edit(add: ["vip"], remove: []))
        #expect(
            try codes(#"{"person":{"name":"Ada","tags":[""]}}"#) == [
                "person.name unknown-field", "person.tags[0] empty",
            ])
        #expect(try codes(#"{"person":7}"#) == ["person wrong-type"])
        let missing = #"{"token":"00","environment":"production","person":{"attributes":{"name":"Ada"}}}"#
        #expect(try codes(missing, .register) == ["person user-id-missing"])
    }

    @Test func allProblemsAreNamedWithTheirPaths() throws {
        #expect(
            try codes(
                #"{"token":"0","environment":"moon","user_id":"","nope":1,"authorization_status":7,"model":[]}"#,
                .register)
                == [
                    "token odd-digits", "environment unknown-environment", "user_id empty", "nope unknown-field",
                    "authorization_status wrong-type", "model wrong-type",
                ])
        #expect(try codes("{}", .register) == ["token missing", "environment missing"])
        #expect(try codes("{}", .update) == [])
        #expect(try codes("[]") == [" wrong-type"])
        #expect(try codes(#"{"token":null,"environment":null}"#) == ["token wrong-type", "environment wrong-type"])
        #expect(try codes(#"{"user_id":"a\u0000b"}"#) == ["user_id null-character"])
    }

    @Test func kindSettingsTagsAndOptOutsAreRead() throws {
        let (body, problems) = try read(
            #"""
            {"installation":"i1","kind":"live_activity_update","activity":"A-1","tags":["vip","b","vip"],
             "opt_outs":["news","a"],"settings":{"sound":"disabled","alert":"not_supported"}}
            """#, Self.listed)
        #expect(problems.isEmpty)
        #expect(body.address(of: "i1") == DeviceAddress("i1", kind: .liveActivityUpdate, activity: "A-1"))
        #expect(body.changes.profile.tags == .replace(["b", "vip"]))
        #expect(body.changes.profile.optOuts == .replace(["a", "news"]))
        #expect(body.changes.settings == Array(#"{"alert":"not_supported","sound":"disabled"}"#.utf8))
        let cleared = try read(#"{"tags":null,"opt_outs":null,"settings":null,"attributes":null}"#, .update).body
            .changes
        #expect(
            cleared.profile.tags == .replace([]) && cleared.profile.optOuts == .replace([])
                && cleared.settings == Array("{}".utf8))
        #expect(cleared.profile.attributes == .replace(.none))
    }

    @Test func kindAndActivityGoTogether() throws {
        func codes(_ members: String) throws -> [String] {
            try self.codes(#"{"installation":"i1",\#(members)}"#, Self.listed)
        }
        #expect(try codes(#""kind":"live_activity_update""#) == ["activity missing"])
        #expect(try codes(#""kind":"widget","activity":"x""#) == ["activity not-allowed"])
        #expect(try codes(#""activity":"x""#) == ["activity not-allowed"])
        #expect(try codes(#""activity":null"#) == [])
        #expect(try codes(#""kind":"phone""#) == ["kind unknown-kind"])
        #expect(try codes(#""kind":null"#) == ["kind wrong-type"])
    }

    @Test func bodyOfOneDeviceDoesNotNameItsKind() throws {
        #expect(try codes(#"{"kind":"widget","activity":null}"#) == ["kind not-allowed", "activity not-allowed"])
    }

    @Test func invalidListElementsAreReportedByIndex() throws {
        #expect(
            try codes(#"{"tags":["a",1,"","a\nb"]}"#) == [
                "tags[1] wrong-type", "tags[2] empty", "tags[3] bad-character",
            ])
        #expect(try codes(#"{"opt_outs":["Offers","ok"]}"#) == ["opt_outs[0] not-a-topic-key"])
        #expect(
            try codes(#"{"opt_outs":["*","**"],"person":{"add_opt_outs":["*"]}}"#) == ["opt_outs[1] not-a-topic-key"])
        #expect(try codes(#"{"tags":"a"}"#) == ["tags wrong-type"])
        #expect(
            try codes(#"{"settings":{"sound":"loud","vibration":"enabled","alert":1}}"#)
                == ["settings.sound unknown-setting", "settings.vibration unknown-field", "settings.alert wrong-type"])
        #expect(try codes(#"{"attributes":{"$user_id":1}}"#) == ["attributes.$user_id attribute-name"])
    }

    @Test func operatorFieldsRequireASecretKey() throws {
        let text = #"{"is_test":true,"nickname":"Anna's phone"}"#
        #expect(try codes(text) == ["is_test secret-key-required", "nickname secret-key-required"])
        var form = RegistrationBody.Form.update
        form.isTrusted = true
        let (body, problems) = try read(text, form)
        #expect(problems.isEmpty)
        #expect(body.changes.isTest == true && body.changes.nickname == .value("Anna's phone"))
        #expect(try codes(#"{"is_test":null}"#, form) == ["is_test wrong-type"])
        #expect(try codes(#"{"nickname":"\#(String(repeating: "ä", count: 100))"}"#, form) == [])
        #expect(try codes(#"{"nickname":"\#(String(repeating: "a", count: 101))"}"#, form) == ["nickname too-long"])
    }

    @Test func installationIsNamedWhereTheAddressDoesNot() throws {
        #expect(try codes(#"{"installation":"i1"}"#) == ["installation unknown-field"])
        let form = RegistrationBody.Form(need: .nothing, namesInstallation: true, ignored: ["id"])
        #expect(try read(#"{"installation":"i1","id":[{"x":1}]}"#, form).body.installation == "i1")
        #expect(try codes(#"{"id":1}"#, form) == ["installation missing"])
        #expect(try codes(#"{"installation":"a b"}"#, form) == ["installation invalid-installation"])
    }

    @Test(arguments: [
        (#""""#, 0), (#""abc""#, 3), (#""ä""#, 2), (#""\u0041\"\n""#, 5), ("12.50", 4), ("-1", 2), ("1e3", 4),
        ("1.5E-2", 5), ("true", 4), ("null", 0), (#"["a",1]"#, 10), ("0e-999", 1),
    ])
    func lengthOfAnAttributeIsWhatAPayloadMayShow(value: String, length: Int) throws {
        let attributes = try #require(
            try read(#"{"attributes":{"a": \#(value) ,"b":1}}"#, .update).body.changes.profile.attributes.given)
        #expect(attributes.lengths == [.init("a", length), .init("b", 1)])
    }

    @Test(arguments: ["0e-9223372036854775808", "0e9223372036854775807", "0e-99999999999999999999", "0.0e20000"])
    func zeroThatTheDatabaseDoesNotTakeIsRefused(value: String) throws {
        #expect(try codes(#"{"attributes":{"a":\#(value)}}"#, .update) == ["attributes.a out-of-range"])
    }

    /// é, and e with an accent behind it, in any script and also as an escape.
    @Test func textsAreStoredInOneForm() throws {
        let body = try read(
            "{\"tags\":[\"\u{E9}\",\"e\u{301}\"],\"attributes\":{\"e\u{301}\":[\"e\\u0301\",\"か\u{3099}\"]}}", .update
        ).body

        #expect(body.changes.profile.tags.given.map { Array($0.utf8) } == [Array("\u{E9}".utf8)])
        let attributes = try #require(body.changes.profile.attributes.given)
        #expect(attributes.text == Array("{\"\u{E9}\":[\"\u{E9}\",\"が\"]}".utf8))
        #expect(attributes.lengths.map { Array($0.name.utf8) } == [Array("\u{E9}".utf8)])
        #expect(throws: ByteReader.Malformed.self) {
            try read("{\"attributes\":{\"\u{E9}\":1,\"e\u{301}\":2}}", .update)
        }
    }

    @Test(arguments: [
        ("3.0", "3"), ("3e0", "3"), ("30E-1", "3"), ("-0", "0"), ("1e2", "100"), ("2.50", "2.5"), ("0.0", "0"),
        ("12345678901234567890.0", "12345678901234567890"), ("1e30", "1000000000000000000000000000000"),
        ("1.50e300", "15e299"), ("[1.0,{\"a\":-2.0}]", "[1,{\"a\":-2}]"), ("\"3.0\"", "\"3.0\""), ("7", "7"),
    ])
    func numbersAreStoredByTheirValue(value: String, expected: String) throws {
        let attributes = try read("{\"attributes\":{\"a\": \(value)}}", .update).body.changes.profile.attributes.given

        #expect(try JSON(parsing: try #require(attributes).text)["a"]?.encoded() == Array(expected.utf8))
    }

    @Test func memberThatStandsTwiceIsRefused() {
        #expect(throws: ByteReader.Malformed.self) { try read(#"{"model":"a","model":"a"}"#, .update) }
        #expect(throws: ByteReader.Malformed.self) { try read(#"{"model":"a","\u006dodel":"a"}"#, .update) }
        #expect(throws: ByteReader.Malformed.self) { try read(#"{"attributes":{"a":1,"a":1}}"#, .update) }
    }

    @Test func limitsHoldAtTheirBoundAndNotOneBeyond() throws {
        func text(_ count: Int) -> String { String(repeating: "a", count: count) }
        #expect(try codes(#"{"token":"\#(text(400))"}"#) == [])
        #expect(try codes(#"{"token":"\#(text(402))"}"#) == ["token too-long"])
        for (member, limit) in [("user_id", 200), ("os_version", 64), ("app_version", 64), ("model", 100)] {
            #expect(try codes(#"{"\#(member)":"\#(text(limit))"}"#) == [])
            #expect(try codes(#"{"\#(member)":"\#(text(limit + 1))"}"#) == ["\(member) too-long"])
        }
        func attributes(_ count: Int) -> String {
            let members = (0..<count).map { #""k\#($0)":1"# }
            return #"{"attributes":{\#(members.joined(separator: ","))}}"#
        }
        func list(_ name: String, _ count: Int) -> String {
            #"{"\#(name)":[\#((0..<count).map { #""k\#($0)""# }.joined(separator: ","))]}"#
        }
        for name in ["tags", "opt_outs"] {
            #expect(try codes(list(name, 100)) == [])
            #expect(try codes(list(name, 101)) == ["\(name) too-many"])
            #expect(try codes(#"{"\#(name)":["\#(text(64))"]}"#) == [])
            #expect(try codes(#"{"\#(name)":["\#(text(65))"]}"#).count == 1)
        }
        #expect(try codes(attributes(50)) == [])
        #expect(try codes(attributes(51)) == ["attributes too-many"])
        #expect(try codes(#"{"attributes":{"a":"\#(text(4096 - 8))"}}"#) == [])
        #expect(try codes(#"{"attributes":{"a":"\#(text(4096 - 7))"}}"#) == ["attributes too-long"])
        #expect(try codes(#"{"attributes":{"\#(text(100))":1}}"#) == [])
        #expect(try codes(#"{"attributes":{"":1}}"#) == ["attributes. attribute-name"])
    }

    @Test(arguments: [
        #"{"a":1e309}"#, #"{"a":[{"b":-1e999}]}"#, #"{"a":1e-400}"#, #"{"a":"\u0000"}"#, #"{"a":{"\u0000":1}}"#,
    ])
    func attributesThatTheDatabaseCannotHoldAreRefused(attributes: String) throws {
        #expect(try codes(#"{"attributes":\#(attributes)}"#).count == 1)
    }

    @Test(arguments: [#"{"a":1e308}"#, #"{"a":0e-999}"#, #"{"a":0.0}"#, #"{"a":-12345678901234567890}"#])
    func numbersInRangeAreTaken(attributes: String) throws {
        #expect(try codes(#"{"attributes":\#(attributes)}"#) == [])
    }

    /// The reader takes a body if the house's parser takes it and its members are what they should be, and then
    /// reads the same values.
    @Test(arguments: 0..<8)
    func readerAgreesWithTheParserOnDamagedBodies(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 100)
        for _ in 0..<4_000 {
            let bytes = Mutation.damage(Mutation.body(&random), &random)
            let json = try? JSON(parsing: bytes)
            let read = try? RegistrationBody.read(bytes, as: .update)
            // A name that is not known and stands twice is a problem here and no JSON there.
            let isRefused = read.map { !$0.problems.isEmpty } ?? true
            #expect(json == nil ? isRefused : read != nil, "\(String(decoding: bytes, as: UTF8.self))")
            guard let read, let json else { continue }
            #expect(read.problems.isEmpty == Self.isGood(json), "\(String(decoding: bytes, as: UTF8.self))")
            guard read.problems.isEmpty else { continue }
            let changes = read.body.changes
            if case .string(let text) = json["user_id"] { #expect(changes.userID == .value(text)) }
            if case .string(let text) = json["model"] {
                #expect(changes.model == (text.isEmpty ? .absent : .value(text)))
            }
            if case .string(let text) = json["token"] { #expect(changes.token?.hex == text.lowercased()) }
            if let attributes = json["attributes"], attributes != .null {
                #expect(try changes.profile.attributes.given.map { try JSON(parsing: $0.text) } == attributes)
            }
        }
    }

    /// The rules for the members, checked once more on the parsed document.
    private static func isGood(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.allSatisfy { member in
            switch (member.key, member.value) {
            case ("token", .string(let text)): (try? DeviceToken(hex: text)) != nil
            case ("environment", .string(let text)): PushEnvironment(name: text) != nil
            case ("authorization_status", .string(let text)): AuthorizationStatus(name: text) != nil
            case ("authorization_status", .null), ("attributes", .null): true
            case ("locale", .null), ("time_zone", .null): true
            case ("locale", .string(let text)), ("time_zone", .string(let text)): !text.contains("\0")
            case ("user_id", .null), ("os_version", .null), ("app_version", .null), ("model", .null): true
            case ("user_id", .string(let text)), ("os_version", .string(let text)), ("app_version", .string(let text)),
                ("model", .string(let text)):
                (member.key != "user_id" || !text.isEmpty) && text.utf8.count <= 64 && !text.contains("\0")
            case ("attributes", .object(let attributes)):
                attributes.allSatisfy {
                    !$0.key.isEmpty && !$0.key.hasPrefix("$") && !$0.key.contains("\0") && isStorable($0.value)
                }
            case ("settings", .null), ("tags", .null), ("opt_outs", .null): true
            case ("settings", .object(let settings)):
                settings.allSatisfy { setting in
                    guard case .string(let value) = setting.value else { return false }
                    return NotificationSetting(rawValue: setting.key) != nil
                        && NotificationSetting.Value(rawValue: value) != nil
                }
            case ("tags", .array(let tags)):
                tags.allSatisfy { if case .string(let tag) = $0 { isTag(tag) } else { false } }
            case ("opt_outs", .array(let keys)):
                keys.allSatisfy { if case .string(let key) = $0 { (try? TopicKey(key)) != nil } else { false } }
            default: false
            }
        }
    }

    private static func isTag(_ tag: String) -> Bool {
        1...64 ~= tag.utf8.count && tag.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static func isStorable(_ json: JSON) -> Bool {
        switch json {
        case .null, .bool: true
        case .string(let text): !text.contains("\0")
        case .array(let elements): elements.allSatisfy(isStorable)
        case .object(let members): members.allSatisfy { !$0.key.contains("\0") && isStorable($0.value) }
        case .number(let number):
            number.double.map { $0 != 0 || !number.text.prefix { $0 != "e" && $0 != "E" }.contains { "1"..."9" ~= $0 } }
                ?? false
        }
    }
}
