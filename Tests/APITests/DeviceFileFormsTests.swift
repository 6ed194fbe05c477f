import Campaigns
import Crypto
import JSON
import Notifications
import Store
import TestSupport
import Testing

@testable import API

/// Files as spreadsheets, databases and other vendors write them.
struct DeviceFileFormsTests {
    private static let token = String(repeating: "ab", count: 32)

    private static func read(
        _ bytes: [UInt8], _ options: DeviceFileOptions = DeviceFileOptions(), _ format: FileFormat = .csv
    ) throws -> (lines: [DeviceLine], reader: DeviceFileReader) {
        var reader = DeviceFileReader(format, options)
        let lines = try reader.feed(bytes)
        return (lines + (try reader.finish()), reader)
    }

    private static func bodies(
        _ text: String, _ options: DeviceFileOptions = DeviceFileOptions(), _ format: FileFormat = .csv
    ) throws -> [RegistrationBody] {
        try read(Array(text.utf8), options, format).lines.map { try $0.content.body }
    }

    private static func header(_ text: String, _ options: DeviceFileOptions = DeviceFileOptions()) -> [String] {
        do {
            _ = try read(Array(text.utf8), options)
            return []
        } catch {
            return (error as? APIError)?.problems.map { "\($0.path) \($0.message)" } ?? ["\(error)"]
        }
    }

    @Test(arguments: [",", ";", "\t", "|"])
    func separatorIsFoundInTheHeader(_ separator: String) throws {
        let lines = [["installation", "user_id", "attr.place"], ["i1", "anna", #""a, b; c | d""#]]
        let bodies = try Self.bodies(lines.map { $0.joined(separator: separator) }.joined(separator: "\r\n"))
        #expect(bodies.map(\.installation) == ["i1"])
        #expect(bodies[0].changes.userID == .value("anna"))
        #expect(try JSON(parsing: #require(bodies[0].changes.profile.attributes.given).text)["place"] == "a, b; c | d")
    }

    @Test func lineOfExcelNamesTheSeparator() throws {
        for first in ["sep=;", "SEP=;", "\"sep=;\""] {
            let (lines, reader) = try Self.read(Array("\r\n\(first)\r\ninstallation;attr.a,b\r\ni1;x\r\n".utf8))
            #expect(lines.map(\.number) == [4])
            #expect(reader.dialect?.separator == UInt8(ascii: ";"))
        }
        #expect(throws: APIError.self) { try Self.bodies("sep=;\r\n") }
    }

    @Test(arguments: [false, true])
    func sheetsInUTF16AreRead(_ isBig: Bool) throws {
        let text = "\u{FEFF}installation\tattr.ort\r\ni1\tMünchen\r\n"
        let bytes = text.utf16.flatMap {
            isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }
        let (lines, reader) = try Self.read(bytes)
        #expect(reader.encoding == (isBig ? .utf16BigEndian : .utf16LittleEndian))
        #expect(try lines.map { try $0.content.body.installation } == ["i1"])
        let objects = try Self.bodies(
            "{\"installation\":\"i1\"}\r{\"installation\":\"i2\"}", DeviceFileOptions(), .ndjson)
        #expect(objects.map(\.installation) == ["i1", "i2"])
    }

    @Test func fileInWindows1252IsNamedAndIsReadWhenAPersonSaysSo() throws {
        let bytes = Array("installation;attr.ort\ni1;M".utf8) + [0xFC] + Array("nchen\n".utf8)
        guard case .refused(let problems) = try Self.read(bytes).lines[0].content else {
            Issue.record("the line was not refused")
            return
        }
        #expect(
            problems.problems[0].code == "not-utf8" && problems.problems[0].message.description.contains("windows-1252")
        )
        let body = try Self.read(bytes, DeviceFileOptions(encoding: .windows1252)).lines[0].content.body
        #expect(try JSON(parsing: #require(body.changes.profile.attributes.given).text)["ort"] == "München")
    }

    @Test(arguments: [Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B, 8, 0], Array("%PDF-1.7".utf8)])
    func fileThatIsNoTextIsNamed(_ start: [UInt8]) {
        let error = #expect(throws: APIError.self) { try Self.read(start + Array("more".utf8)) }
        #expect(error?.code == "not-a-text-file")
    }

    @Test func namesOfColumnsMayBeSpelledInOtherWays() throws {
        let bodies = try Self.bodies(
            "Device Token;USER-ID;time zone;AppVersion;Language;ATTR.Plan;Is Test\n\(Self.token);anna;UTC;4.2;de_DE;gold;yes\n",
            DeviceFileOptions(environment: .production))
        let changes = bodies[0].changes
        #expect(changes.token?.hex == Self.token && changes.userID == .value("anna") && changes.isTest == true)
        #expect(changes.locale == .value("de-DE") && changes.appVersion == .value("4.2"))
        #expect(try JSON(parsing: #require(changes.profile.attributes.given).text) == ["Plan": "gold"])
    }

    @Test func unknownNamesGetASuggestion() {
        let problems = Self.header("installation,tokne,external_id,shoe size\n")
        #expect(problems[0].hasSuffix("did you mean token?"))
        #expect(problems[1].hasSuffix("did you mean user_id?"))
        #expect(problems[2].contains("name it like attr.plan"))
        #expect(Self.header("installation,fcm_token\n")[0].contains("Firebase"))
        #expect(
            Self.header("token,user_id\n") == [
                "header.environment is required, because each token belongs to one: add the column, or import the file with environment=production"
            ])
    }

    @Test func personMaySayWhatTheColumnsAre() throws {
        let options = DeviceFileOptions(columns: ["token", "", "attr.revenue:number"], environment: .development)
        let (lines, reader) = try Self.read(Array("A;B;B\n\(Self.token);x;1.5\n".utf8), options)
        let changes = try lines[0].content.body.changes
        #expect(changes.token?.hex == Self.token && changes.environment == .development)
        #expect(try JSON(parsing: #require(changes.profile.attributes.given).text) == ["revenue": 1.5])
        #expect(reader.header?.leftOut == ["B"])
        #expect(Self.header("A;B\n", options).first == "columns names 3 columns, but the file has 2")
    }

    @Test func separatorAtTheEndOfLinesIsNoColumn() throws {
        #expect(try Self.bodies("installation,user_id,\ni1,anna,\n").count == 1)
        #expect(try Self.bodies("installation,user_id\ni1,anna,,\n").count == 1)
        let lines = try Self.read(Array("installation,\ni1,x\n".utf8)).lines
        guard case .refused(let problems) = lines[0].content else {
            Issue.record("the value was dropped")
            return
        }
        #expect(problems.problems.map(\.code) == ["unnamed-column"])
    }

    @Test func spaceBeforeAQuoteIsNoLetter() throws {
        let body = try Self.bodies("installation, \"user_id\", tags\ni1, \"anna\", \"a;b\"\n")[0]
        #expect(body.changes.userID == .value("anna") && body.changes.profile.tags == .replace(["a", "b"]))
    }

    @Test(arguments: [
        "sandbox": PushEnvironment.development, "Development ": .development, "DEV": .development, "prod": .production,
        "Production": .production, "App Store": .production,
    ])
    func environmentsMayBeSpelledInOtherWays(_ spelled: String, _ environment: PushEnvironment) throws {
        for (text, format) in [
            ("token,environment\n\(Self.token),\(spelled)\n", FileFormat.csv),
            ("{\"token\":\"\(Self.token)\",\"environment\":\"\(spelled)\"}", .ndjson),
        ] {
            #expect(try Self.bodies(text, DeviceFileOptions(), format)[0].changes.environment == environment)
        }
    }

    @Test func kindsStatusesAndFlagsMayBeSpelledInOtherWays() throws {
        let body = try Self.bodies(
            "installation,kind,authorization status,is_test\ni1,Live-Activity-Start,notDetermined,1\n")[0]
        #expect(body.kind == .liveActivityStart && body.changes.authorization == .notDetermined)
        #expect(body.changes.isTest == true)
        #expect(try Self.bodies("installation,is_test\ni1,NO\n")[0].changes.isTest == false)
    }

    @Test func tokensMayBeSpelledInOtherWays() throws {
        let bytes = (0..<32).map { UInt8($0 * 7 % 256) }
        let plain = try DeviceToken(bytes: bytes).hex
        let groups = stride(from: 0, to: 64, by: 8).map { String(plain.dropFirst($0).prefix(8)) }.joined(separator: " ")
        for spelled in [
            plain.uppercased(), "<\(groups)>", " \(plain) ", Base64URL.encode(bytes), Base64URL.encode(bytes) + "=",
        ] {
            let body = try Self.bodies("token,environment\n\(spelled),production\n")[0]
            #expect(body.changes.token?.bytes == bytes)
        }
        // A mistyped digit must not make another token.
        #expect(throws: Problems.self) { try Self.bodies("token,environment\n\(plain.dropLast())g,production\n") }
        let firebase = "dQw4w9WgXcQ:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ"
        let error = #expect(throws: Problems.self) { try Self.bodies("token,environment\n\(firebase),production\n") }
        #expect(error?.problems.map(\.code) == ["foreign-token"])
    }

    @Test func deviceWithoutAnInstallationGetsTheSameOneEachTime() throws {
        let text = "token,environment\n\(Self.token),production\n"
        let first = try Self.bodies(text)[0].installation
        #expect(try Self.bodies(text)[0].installation == first)
        #expect(try DeviceAddress.isInstallation(#require(first)) && first?.contains(Self.token) == false)
        let object = "{\"token\":\"\(Self.token)\",\"environment\":\"production\"}"
        #expect(try Self.bodies(object, DeviceFileOptions(), .ndjson)[0].installation == first)
        #expect(throws: Problems.self) { try Self.bodies("{\"user_id\":\"anna\"}", DeviceFileOptions(), .ndjson) }
    }

    @Test func exportOfOneSignalIsRecognised() throws {
        let header =
            "id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,tags,last_active,"
            + "created_at,invalid_identifier,external_user_id,notification_types,ip"
        let row = { (type: Int, invalid: String, subscribed: Int) in
            "3a1b,\(Self.token),4,de,3600,4.2,18.1,\(type),iPhone15-2,\"{\"\"plan\"\":\"\"gold\"\"}\",x,y,\(invalid),anna,\(subscribed),1.2.3.4"
        }
        let text = [header, row(0, "f", 1), row(1, "f", 1), row(0, "t", 1), row(0, "false", -2)].joined(separator: "\n")
        let (lines, reader) = try Self.read(Array(text.utf8))
        #expect(reader.header?.vendor?.name == "OneSignal")
        #expect(reader.header?.leftOut == ["session_count", "last_active", "created_at", "ip"])
        let body = try lines[0].content.body
        #expect(body.installation == "3a1b" && body.changes.token?.hex == Self.token)
        #expect(body.changes.environment == .production && body.changes.userID == .value("anna"))
        #expect(body.changes.locale == .value("de") && body.changes.timeZone == .value("Etc/GMT-1"))
        #expect(body.changes.osVersion == .value("18.1") && body.changes.appVersion == .value("4.2"))
        #expect(try JSON(parsing: #require(body.changes.profile.attributes.given).text) == ["plan": "gold"])
        #expect(body.changes.authorization == nil)
        if case .leftOut = lines[1].content {} else { Issue.record("an Android device was not left out") }
        #expect(body.changes.profile.optOuts == .edit(add: [], remove: ["*"]))
        // The token has ended, and the person had not said no.
        #expect(try lines[2].content.body.changes.authorization == .denied)
        #expect(try !lines[2].content.body.isOptedOutOfAll)
        #expect(try lines[3].content.body.changes.profile.optOuts == .edit(add: ["*"], remove: []))
        #expect(try lines[3].content.body.changes.authorization == nil)
    }

    /// A person's no, or iOS's: the app states only the second at its first start.
    @Test(arguments: [
        ("1", false, false), ("31", false, false), ("0", true, false), ("-2", false, true), ("-2.0", false, true),
        ("-18", true, false), ("-19", true, false), ("-15", true, false), ("-30", false, true), ("-31", false, true),
    ])
    func numberOfOneSignalTellsConsentFromPermission(_ types: String, _ isDenied: Bool, _ isOptedOut: Bool) throws {
        let body = try Self.oneSignal("notification_types", types).body
        #expect((body.changes.authorization == .denied) == isDenied && body.isOptedOutOfAll == isOptedOut)
    }

    @Test func invalidIdentifierWithoutAReasonMayBeTheWordOfThePerson() throws {
        let body = try Self.oneSignal("invalid_identifier", "true").body
        #expect(body.isOptedOutOfAll && body.changes.authorization == nil)
        #expect(try !Self.oneSignal("invalid_identifier", "false").body.isOptedOutOfAll)
    }

    @Test(arguments: [
        ("subscribed", "false", SetChange.edit(add: ["*"], remove: [])),
        ("subscribed", "unsubscribed", .edit(add: ["*"], remove: [])),
        ("subscribed", "opted_in", .edit(add: [], remove: ["*"])), ("subscribed", "", .keep),
        ("unsubscribed", "1", .edit(add: ["*"], remove: [])), ("Unsubscribed", "no", .edit(add: [], remove: ["*"])),
        ("opted_out", "TRUE", .edit(add: ["*"], remove: [])), ("opt_outs", "yes", .edit(add: ["*"], remove: [])),
        ("opt_outs", "false", .edit(add: [], remove: ["*"])), ("opt_outs", "*", .replace(["*"])),
        ("opt_outs", "*;news", .replace(["*", "news"])), ("opt_outs", "[]", .replace([])),
        ("opt_outs,subscribed", "news,false", .replace(["*", "news"])),
        ("opt_outs,subscribed", "news,true", .replace(["news"])),
        ("opt_outs,subscribed", "*,true", .replace(["*"])),
        ("subscribed,opt_outs", "no,[]", .replace(["*"])),
    ])
    func unsubscribedIsAnOptOutFromAllCampaigns(_ columns: String, _ fields: String, _ change: SetChange) throws {
        let body = try #require(
            Self.bodies("token,environment,\(columns)\n\(Self.token),production,\(fields)\n").first)
        #expect(body.changes.profile.optOuts == change)
        #expect(body.changes.authorization == nil)
    }

    @Test func exportOfAirshipIsRecognisedAndThatOfBrazeHasNoTokens() throws {
        let text =
            "channel_id,device_type,push_address,named_user_id,opt_in,tags,last_registration\n"
            + "c1,ios,\(Self.token),anna,false,vip;beta,x\nc2,android,abc,ben,true,,x\n"
        let (lines, reader) = try Self.read(Array(text.utf8))
        #expect(reader.header?.vendor?.name == "Airship" && reader.header?.leftOut == ["last_registration"])
        let body = try lines[0].content.body
        #expect(body.isOptedOutOfAll && body.changes.authorization == nil)
        #expect(body.changes.profile.tags == .replace(["beta", "vip"]))
        if case .leftOut = lines[1].content {} else { Issue.record("an Android device was not left out") }
        #expect(Self.header("Braze ID,user_id,number_of_push_tokens\n").first?.contains("no push tokens") == true)
    }

    /// The header of an export of OneSignal, and a line of it.
    private static func oneSignal(
        _ member: String = "", _ value: String = "", identifier: String = token, type: String = "0"
    ) throws -> DeviceLine.Content {
        let text = "id,identifier,session_count,device_type,\(member)\n3a1b,\(identifier),4,\(type),\(value)\n"
        let lines = try read(Array(text.utf8)).lines
        return try #require(lines.first).content
    }

    @Test(arguments: [
        ("timezone", "19800", "Asia/Kolkata"), ("timezone", "19800.0", "Asia/Kolkata"),
        ("timezone", "3600.0", "Etc/GMT-1"),
        ("timezone", "-34200", "Pacific/Marquesas"), ("timezone", "0", "UTC"), ("timezone", "-28800.0", "Etc/GMT+8"),
        ("timezone", "20700", "Asia/Kathmandu"), ("timezone", "+05:30", "Asia/Kolkata"),
    ])
    func offsetsAreZonesByTheirValue(_ column: String, _ offset: String, _ zone: String) throws {
        let body = try Self.oneSignal(column, offset).body
        #expect(body.changes.timeZone == .value(zone) && body.warnings.isEmpty)
    }

    @Test(arguments: ["-12600", "37800", "3601", "999999999999", "east"])
    func offsetThatIsNoZoneIsLeftOutWithAChange(_ offset: String) throws {
        let body = try Self.oneSignal("timezone", offset).body
        #expect(body.changes.token?.hex == Self.token && body.changes.timeZone == .absent)
        #expect(body.warnings.map { "\($0.path) \($0.code)" } == ["utc_offset unknown-time-zone"])
    }

    @Test func numbersOfOneSignalAreReadByTheirValue() throws {
        #expect(try Self.oneSignal("notification_types", "1.0").body.changes.authorization == nil)
        #expect(try Self.oneSignal("notification_types", "-2.0").body.isOptedOutOfAll)
        #expect(try Self.oneSignal(type: "0.0").body.installation == "3a1b")
        guard case .leftOut = try Self.oneSignal(type: "1.0") else { throw Problems([]) }
        // Nobody may get pushes because their state could not be read.
        #expect(throws: Problems.self) { try Self.oneSignal("notification_types", "1.5").body }
        #expect(throws: Problems.self) { try Self.oneSignal(type: "99").body }
    }

    @Test func valuesThatCannotBeStoredDoNotCostTheDevice() throws {
        let many = (0..<51).map { "\"\"k\($0)\"\":\"\"v\"\"" }.joined(separator: ",")
        for (tags, kept, left) in [
            (#"{""$x"":1,""plan"":""gold""}"#, 1, "attributes.$x"), (#"{"""":1,""plan"":""gold""}"#, 1, "attributes."),
            ("{\(many)}", 50, "attributes.k50"), ("[]", 0, "attributes"), ("{'plan': 'gold'}", 0, "attributes"),
            (#"{""a"":""\#(String(repeating: "x", count: 4_090))"",""plan"":1}"#, 1, "attributes.a"),
        ] {
            let body = try Self.oneSignal("tags", "\"\(tags)\"").body
            let count = try body.changes.profile.attributes.given.map { given -> Int in
                guard case .object(let members) = try JSON(parsing: given.text) else { return -1 }
                return members.count
            }
            #expect((count ?? 0) == kept && body.changes.token?.hex == Self.token)
            #expect(body.warnings.contains { $0.code == "value-left-out" && $0.path == left }, "\(body.warnings)")
        }
        let model = String(repeating: "m", count: 101)
        let tags = (0..<101).map { "t\($0)" }.joined(separator: ";")
        let body = try Self.bodies("installation,user_id,model,tags\ni1,anna,\(model),\(tags)\n")[0]
        #expect(body.changes.userID == .value("anna") && body.changes.model == .absent)
        #expect(body.warnings.filter { $0.code == "value-left-out" }.map(\.path) == ["model", "tags[100]"])
        // Who the device is, and what it may get, is no side fact.
        #expect(throws: Problems.self) { try Self.bodies("installation,model,opt_outs\ni1,\(model),a b\n") }
    }

    @Test(arguments: ["", "NULL", "nan"])
    func lineOfAVendorWithoutATokenIsLeftOut(_ identifier: String) throws {
        guard case .leftOut = try Self.oneSignal("tags", "[", identifier: identifier) else {
            throw Problems([])
        }
    }

    @Test(arguments: ["NULL", "null", " NULL ", "None", "nan", "NaN", "undefined", #"\N"#, "<NA>", "N/A", "(null)"])
    func wordsForNoValueAreEmptyWithAChange(_ word: String) throws {
        let text =
            "installation,token,environment,user_id,tags,opt_outs,locale,subscribed,platform,attr.n:number,as_of\n"
            + "i1,\(Self.token),production," + Array(repeating: word, count: 8).joined(separator: ",") + "\n"
        let body = try Self.bodies(text)[0]
        #expect(body.changes.userID == .absent && body.changes.locale == .absent && body.changes.authorization == nil)
        #expect(body.changes.profile.tags == .keep && body.changes.profile.optOuts == .keep && body.asOf == nil)
        #expect(body.warnings.map(\.code) == Array(repeating: "no-value", count: 8))
        #expect(body.warnings.first?.path == "user_id")
        let installation = try Self.bodies("installation,token,environment\n\(word),\(Self.token),production\n")[0]
        #expect(installation.installation == FileSpelling.installation(of: try #require(installation.changes.token)))
        let name = JSON.string(word).encoded()
        let object = "{\"installation\":\"i1\",\"user_id\":\(String(decoding: name, as: UTF8.self))}"
        let line = try Self.bodies(object, DeviceFileOptions(), .ndjson)[0]
        #expect(line.changes.userID == .absent && line.warnings.map(\.code) == ["no-value"])
    }

    @Test func wordsThatMayBeValuesStayInTextAttributes() throws {
        let body = try Self.bodies("installation,attr.a,attr.b,attr.c\ni1,None,NA,NULL\n")[0]
        #expect(try JSON(parsing: #require(body.changes.profile.attributes.given).text) == ["a": "None", "b": "NA"])
        #expect(body.warnings.map(\.path) == ["attr.c"])
        // Users may be called so.
        #expect(try Self.bodies("installation,user_id\ni1,Nan\n")[0].changes.userID == .value("Nan"))
    }

    @Test(arguments: [
        " ada", "ada  ", "\u{A0}ada", "\u{200B}ada\u{200B}", "ada\t", "\u{FEFF}ada", "\u{3000}ada\u{2060}",
    ])
    func spacesAroundAUserAreRemovedWithAChange(_ spelled: String) throws {
        for (text, format) in [
            ("installation,user_id\ni1,\(spelled)\n", FileFormat.csv),
            ("{\"installation\":\"i1\",\"user_id\":\"\(spelled.replacing("\t", with: "\\t"))\"}", .ndjson),
        ] {
            let body = try Self.bodies(text, DeviceFileOptions(), format)[0]
            #expect(body.changes.userID == .value("ada"))
            #expect(body.warnings.map { "\($0.path) \($0.code)" } == ["user_id trimmed-spaces"])
        }
    }

    @Test func columnsOfBelfryInAFileOfAVendorAreKnown() throws {
        let body = try Self.oneSignal("environment,opt_outs,attr.city,ip", "sandbox,news,Bern,1.2.3.4").body
        #expect(body.changes.environment == .development && body.changes.profile.optOuts == .replace(["news"]))
        #expect(try JSON(parsing: #require(body.changes.profile.attributes.given).text) == ["city": "Bern"])
        let header = "id,identifier,session_count,device_type,external_user_id,user_id\n"
        #expect(Self.header(header) == ["header.user_id is user_id, and so is external_user_id; remove one of them"])
    }

    @Test(arguments: [
        "ios", "iPhone OS", "IOS_APNS", "apple_ios", "ios-push", "iOS 17.2", "visionOS", "iPod touch", "iPadOS", "APNs",
        "iPhone15,2",
    ])
    func platformsOfAppleMayBeSpelledInOtherWays(_ platform: String) throws {
        let body = try Self.bodies("installation,platform\ni1,\"\(platform)\"\n")[0]
        #expect(body.installation == "i1" && body.warnings.isEmpty)
    }

    @Test func sandboxOfAPNsIsTheEnvironmentOfDevelopment() throws {
        let text = "token,platform,environment\n\(Self.token),APNS_SANDBOX,\n\(Self.token),APNS_SANDBOX,production\n"
        #expect(try Self.bodies(text).map(\.changes.environment) == [.development, .production])
    }

    @Test(arguments: ["Android 14", "FCM", "web-push", "Chrome", "Huawei_HMS", "macOS", "email", "Windows Phone"])
    func otherPlatformsAreLeftOut(_ platform: String) throws {
        let line = try Self.read(Array("installation,platform\ni1,\(platform)\n".utf8)).lines[0]
        guard case .leftOut = line.content else { throw Problems([]) }
    }

    @Test(arguments: ["mobile", "phone", "i0S", "7", "push"])
    func platformThatNobodyKnowsIsAProblemOfItsLine(_ platform: String) throws {
        let error = #expect(throws: Problems.self) { try Self.bodies("installation,platform\ni1,\(platform)\n") }
        #expect(error?.problems.map(\.path) == ["platform"])
    }

    @Test(arguments: [
        "2026-11-20T10:00:00Z", "2026-11-20 10:00:00", "2026-11-20 10:00", "2026-11-20 10:00:00 UTC",
        "2026-11-20 11:00:00.000+01", "2026-11-20 10:00:00.000000+00", "2026-11-20T11:00:00+0100", "1795168800",
        "1795168800000", "1795168800.0", "1795168800000000",
    ])
    func timesAreReadAsDatabasesWriteThem(_ text: String) throws {
        let time = try #require(Instant(rfc3339: "2026-11-20T10:00:00Z"))
        #expect(try Self.bodies("installation,last_seen_at\ni1,\(text)\n")[0].asOf == time)
        let object = "{\"installation\":\"i1\",\"as_of\":\"\(text)\"}"
        #expect(try Self.bodies(object, DeviceFileOptions(), .ndjson)[0].asOf == time)
    }

    @Test func dayIsItsBeginningAndATimeThatIsAmbiguousIsRefused() throws {
        let body = try Self.bodies("installation,as_of\ni1,2026-11-20\n")[0]
        #expect(body.asOf == Instant(rfc3339: "2026-11-20T00:00:00Z"))
        #expect(
            try Self.bodies("{\"installation\":\"i1\",\"as_of\":1795168800}", DeviceFileOptions(), .ndjson)[0].asOf
                == Instant(rfc3339: "2026-11-20T10:00:00Z"))
        for text in ["11/20/2026", "20261120", "2026-13-01", "yesterday", "2026-11-20 25:00", "inf", "2026"] {
            #expect(throws: Problems.self, "\(text)") { try Self.bodies("installation,as_of\ni1,\(text)\n") }
        }
    }

    @Test(arguments: [
        "latin1", "GBK", "gb2312", "SJIS", "Windows-31J", "cp949", "Big5", "CP1251", "CP1252", "Windows-1252",
        "iso-8859-1", "UTF8", "utf_16le",
    ])
    func encodingsMayBeSpelledInOtherWays(_ name: String) {
        #expect(TextEncoding(named: name) != nil)
        #expect(TextEncoding(named: "ebcdic") == nil)
    }

    @Test func exportsAreRecognisedWithoutAllColumnsAndWithSpaces() throws {
        let one = try Self.read(Array("id,identifier,device_type,external_user_id\na,\(Self.token),0,x\n".utf8))
        #expect(one.reader.header?.vendor?.name == "OneSignal")
        let two = try Self.read(Array("Channel ID,Push Address,Device Type\nc1,\(Self.token),ios\n".utf8))
        #expect(two.reader.header?.vendor?.name == "Airship" && two.lines.count == 1)
    }

    @Test func filesOfOtherKindsAreNamed() {
        for text in ["<html>", "SQLite format 3", "i\0\0\0n\0\0\0", "Obj\u{1}", #"{\rtf1"#, "bplist00", "PK\u{5}\u{6}"]
        {
            for format in FileFormat.allCases {
                let error = #expect(throws: APIError.self) {
                    try Self.read(Array(text.utf8), DeviceFileOptions(), format)
                }
                #expect(error?.code == "not-a-text-file")
            }
        }
        let many = (0..<400).map { "attr.a\($0)" }.joined(separator: ",")
        #expect(Self.header(many + "\n").first?.contains("more than 300 fields") == true)
        #expect(Self.header("\u{FEFF}\u{FEFF}installation,user_id\n").isEmpty)
        #expect(Self.header("installation,identifier\n").first?.hasSuffix("did you mean token?") == true)
    }
}
