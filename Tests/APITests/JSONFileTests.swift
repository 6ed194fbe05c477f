import Campaigns
import HTTPServer
import JSON
import Notifications
import Testing

@testable import API

/// Files of JSON objects, as programs and other vendors write them.
struct JSONFileTests {
    private static let token = String(repeating: "ab", count: 32)

    private static func read(
        _ text: String, _ options: DeviceFileOptions = DeviceFileOptions(), as format: FileFormat = .ndjson
    ) throws -> (lines: [DeviceLine], reader: DeviceFileReader) {
        var reader = DeviceFileReader(format, options)
        let lines = try reader.feed(Array(text.utf8))
        return (lines + (try reader.finish()), reader)
    }

    private static func problems(_ text: String, _ options: DeviceFileOptions = DeviceFileOptions()) throws -> [String]
    {
        try read(text, options).lines.flatMap { line -> [String] in
            guard case .refused(let problems) = line.content else { return [] }
            return problems.problems.map { "\($0.path) \($0.message)" }
        }
    }

    /// Programs give files any name and type.
    @Test(arguments: FileFormat.allCases)
    func formatIsToldByTheContent(_ stated: FileFormat) throws {
        let csv = try Self.read("installation,user_id\ni1,ada\n", as: stated)
        #expect(try csv.reader.format == .csv && csv.lines[0].content.body.installation == "i1")
        for text in ["{\"installation\":\"i1\"}", "\n [\n{\"installation\":\n\"i1\"}\n]"] {
            let json = try Self.read(text, as: stated)
            #expect(try json.reader.format == .ndjson && json.lines[0].content.body.installation == "i1")
        }
    }

    /// A preview has the beginning of a file, with few objects and half of another.
    @Test func beginningOfAFileIsReadWithoutItsLastObject() throws {
        var reader = DeviceFileReader(.csv, sampleSize: 5)
        let lines = try reader.feed(Array("[{\"installation\":\"i1\"},{\"installation\":\"i2\",\"us".utf8))
        #expect(try (lines + reader.finishPart()).map { try $0.content.body.installation } == ["i1"])
        #expect(reader.header?.columns.map(\.name) == ["installation"] && reader.objectSamples.count == 1)
    }

    @Test func damagedObjectSaysWhereItEnds() throws {
        let found = try Self.problems(
            "{\n  \"installation\": \"i1\",\n  \"user_id\": \"a\n}\n{\"installation\":\"i2\"}\n")
        #expect(found.count == 1 && found[0].hasPrefix(" begins an object, up to line 3, that is not JSON: "))
    }

    @Test func membersMayBeSpelledAsColumns() throws {
        let line = try Self.read(
            "{\"Device Token\":\"\(Self.token)\",\"env\":\"sandbox\",\"User-ID\":\"ada\",\"language\":\"de_DE\",\"AppVersion\":4.2,"
                + "\"is test\":true,\"attr.plan\":\"gold\",\"attr.visits:number\":\"7\",\"attr.list\":[1],\"subscribed\":false,"
                + "\"Tag\":[\"vip\"],\"person.attr.age\":40}"
        ).lines[0]
        let body = try line.content.body
        #expect(body.changes.token?.hex == Self.token && body.changes.environment == .development)
        #expect(body.changes.userID == .value("ada") && body.changes.locale == .value("de-DE"))
        #expect(body.changes.appVersion == .value("4.2") && body.changes.isTest == true)
        #expect(body.isOptedOutOfAll && body.changes.profile.tags == .replace(["vip"]))
        guard case .merge(let attributes) = body.changes.profile.attributes else {
            Issue.record("single attributes change only themselves")
            return
        }
        #expect(try JSON(parsing: attributes.text) == ["plan": "gold", "visits": 7, "list": [1]])
        #expect(try JSON(parsing: #require(body.person?.attributes.given).text) == ["age": 40])
    }

    /// Members of a registration are as strict as ever, null removes, and the rest of an object stays as it is.
    @Test func objectWithOneOtherNameIsOtherwiseReadAsItIs() throws {
        let body = try Self.read(
            "{\"installation\":\"i1\",\"user_id\":null,\"nickname\":\" '=x\",\"add_tags\":[\"a\"],\"Language\":\"fr\",\"updated_at\":1795168800}"
        ).lines[0].content.body
        #expect(body.changes.userID == .null && body.changes.nickname == .value(" '=x"))
        #expect(body.changes.locale == .value("fr") && body.asOf != nil)
    }

    @Test func unknownMembersGetASuggestionAndAreRefusedByTheirLine() throws {
        let text =
            "{\"installation\":\"i1\",\"tokne\":\"x\"}\n{\"installation\":\"i2\",\"shoe size\":1}\n{\"installation\":\"i3\"}"
        let found = try Self.problems(text)
        #expect(found.count == 2 && found[0] == "tokne is not a known column; did you mean token?")
        #expect(found[1].hasPrefix("shoe size is not a known column; name it like attr.plan"))
        #expect(try Self.problems("{\"token\":\"x\",\"fcm_token\":\"y\"}")[0].contains("Firebase"))
        #expect(
            try Self.problems("{\"installation\":\"i1\",\"locale\":\"de\",\"language\":\"fr\"}")
                == ["language is locale, and so is locale; remove one of them"])
        #expect(
            try Self.problems("{\"installation\":\"i1\",\"attributes\":{},\"attr.a\":1}")[0].hasPrefix(
                "attributes can't"))
    }

    @Test func personMaySayWhatTheMembersAre() throws {
        let options = DeviceFileOptions(columns: ["gerät=token", "x=", "ort=attr.city"], environment: .production)
        let text = "{\"gerät\":\"\(Self.token)\",\"x\":[],\"ort\":\"Köln\",\"user_id\":\"ada\"}"
        let changes = try Self.read(text, options).lines[0].content.body.changes
        #expect(changes.token?.hex == Self.token && changes.userID == .value("ada"))
        #expect(try JSON(parsing: #require(changes.profile.attributes.given).text) == ["city": "Köln"])
        for columns in [["token"], ["gerät=tokn"]] {
            #expect(throws: APIError.self) { try Self.read(text, DeviceFileOptions(columns: columns)) }
        }
    }

    /// Exports leave out members without a value: the first object alone does not tell.
    @Test func exportsOfVendorsAreRecognisedByTheirFirstObjects() throws {
        let one = try Self.read(
            "{\"id\":\"p1\",\"identifier\":\"\(Self.token)\",\"device_type\":0}\n"
                + "{\"id\":\"p2\",\"identifier\":\"\(Self.token)\",\"device_type\":0,\"external_user_id\":\"ada\",\"amount_spent\":3,"
                + "\"tags\":{\"plan\":\"gold\"},\"notification_types\":-2,\"timezone\":3600,\"language\":\"de\"}\n"
                + "{\"id\":\"p3\",\"identifier\":\"x\",\"device_type\":1}\n{\"id\":\"p4\",\"identifier\":null,\"device_type\":0}"
        )
        #expect(one.reader.header?.vendor?.name == "OneSignal" && one.reader.header?.leftOut == ["amount_spent"])
        let second = try one.lines[1].content.body
        #expect(second.installation == "p2" && second.changes.userID == .value("ada"))
        #expect(second.changes.environment == .production && second.isOptedOutOfAll)
        #expect(try JSON(parsing: #require(second.changes.profile.attributes.given).text) == ["plan": "gold"])
        for line in one.lines[2...] {
            guard case .leftOut = line.content else {
                Issue.record("Android and objects without a token are left out")
                return
            }
        }
        let two = try Self.read(
            "[{\"channel_id\":\"c1\",\"device_type\":\"ios\",\"push_address\":\"\(Self.token)\",\"named_user_id\":\"ada\","
                + "\"opt_in\":true,\"tags\":[\"a;b\"],\"ios\":{\"badge\":1}}]")
        #expect(two.reader.header?.vendor?.name == "Airship")
        #expect(try two.lines[0].content.body.changes.profile.tags == .replace(["a;b"]))
        let braze = #expect(throws: APIError.self) { try Self.read("{\"braze_id\":\"b\",\"external_id\":\"e\"}") }
        #expect(braze?.problems.map(\.code) == ["no-tokens"])
    }
}
