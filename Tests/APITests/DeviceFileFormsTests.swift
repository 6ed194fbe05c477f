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
        #expect(problems.problems[0].code == "not-utf8" && problems.problems[0].message.contains("windows-1252"))
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
        #expect(try lines[2].content.body.changes.authorization == .denied)
        #expect(try lines[3].content.body.changes.authorization == .denied)
    }

    @Test func exportOfAirshipIsRecognisedAndThatOfBrazeHasNoTokens() throws {
        let text =
            "channel_id,device_type,push_address,named_user_id,opt_in,tags,last_registration\n"
            + "c1,ios,\(Self.token),anna,false,vip;beta,x\nc2,android,abc,ben,true,,x\n"
        let (lines, reader) = try Self.read(Array(text.utf8))
        #expect(reader.header?.vendor?.name == "Airship" && reader.header?.leftOut == ["last_registration"])
        let body = try lines[0].content.body
        #expect(body.changes.authorization == .denied && body.changes.profile.tags == .replace(["beta", "vip"]))
        if case .leftOut = lines[1].content {} else { Issue.record("an Android device was not left out") }
        #expect(Self.header("Braze ID,user_id,number_of_push_tokens\n").first?.contains("no push tokens") == true)
    }
}
