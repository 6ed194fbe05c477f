import Campaigns
import HTTPServer
import JSON
import Notifications
import Store
import TestSupport
import Testing

@testable import API

struct DeviceFileReaderTests {
    private static func read(_ format: FileFormat, _ pieces: [[UInt8]]) throws -> [DeviceLine] {
        var reader = DeviceFileReader(format)
        var lines: [DeviceLine] = []
        for piece in pieces { lines += try reader.feed(piece) }
        return lines + (try reader.finish())
    }

    private static func csv(_ text: String) throws -> [DeviceLine] { try read(.csv, [Array(text.utf8)]) }

    /// The only line's body.
    private static func body(_ header: String, _ record: String) throws -> RegistrationBody {
        let lines = try csv("\(header)\n\(record)\n")
        #expect(lines.count == 1 && lines[0].number == 2)
        return try lines[0].content.body
    }

    private static func codes(_ header: String, _ record: String) throws -> [String] {
        guard case .refused(let problems)? = try csv("\(header)\n\(record)\n").first?.content else { return [] }
        return problems.problems.map { "\($0.path) \($0.code)" }
    }

    @Test func recordSaysWhatTheObjectOfTheSameMembersSays() throws {
        let record = try Self.body(
            "installation,token,environment,kind,user_id,locale,settings,tags,opt_outs,is_test,nickname,attributes,id",
            #"i1,00FF,development,widget,"a""b",de_DE,"{""sound"":""disabled""}","[""vip"",""b;c""]",news,TRUE,Ann's,"{""n"":1.50}",7"#
        )
        let object = try Self.read(
            .ndjson,
            [
                Array(
                    #"""
                    {"installation":"i1","token":"00FF","environment":"development","kind":"widget","user_id":"a\"b",
                    """#.filter { $0 != "\n" }.utf8)
                    + Array(
                        #""locale":"de_DE","settings":{"sound":"disabled"},"tags":["b;c","vip"],"opt_outs":["news"],"#
                            .utf8)
                    + Array(#""is_test":true,"nickname":"Ann's","attributes":{"n":1.50},"id":"7"}"#.utf8)
            ])
        #expect(try record == object[0].content.body)
        #expect(record.installation == "i1" && record.kind == .widget)
        #expect(record.changes.userID == .value("a\"b"))
        #expect(record.changes.profile.tags == .replace(["b;c", "vip"]))
    }

    @Test func emptyFieldIsNotMentioned() throws {
        let body = try Self.body("installation,user_id,tags,is_test,attr.plan,attr.n:number", "i1,,,,,")
        #expect(body.changes == DeviceChanges())
    }

    @Test func columnsOfSingleAttributesAreTyped() throws {
        let body = try Self.body(
            "installation,attr.plan,attr.zip,attr.visits:number,attr.paid:boolean,attr.list:json",
            #"i1,free,01234,12.5,False,"[1,""x""]""#)
        let attributes = try JSON(parsing: try #require(body.changes.profile.attributes.given).text)
        #expect(
            attributes == [
                "plan": "free", "zip": "01234", "visits": 12.5, "paid": false, "list": [1, "x"],
            ])
        #expect(try Self.codes("installation,attr.n:number", "i1,many") == ["attr.n wrong-type"])
        #expect(try Self.codes("installation,attr.n:number", "i1,\"1,\"\"x\"\":2\"") == ["attr.n wrong-type"])
        #expect(try Self.codes("installation,attr.b:boolean", "i1,2") == ["attr.b wrong-type"])
        #expect(try Self.codes("installation,attr.j:json", "i1,{") == ["attr.j not-json"])
    }

    @Test func listMayHaveSemicolons() throws {
        #expect(
            try Self.body("installation,tags", "i1,vip; beta ;;vip").changes.profile.tags == .replace(["beta", "vip"]))
        #expect(try Self.codes("installation,tags", "i1,[") == ["tags not-json"])
    }

    /// A field cannot add members of its own.
    @Test func fieldOfJSONIsOneValue() throws {
        #expect(
            try Self.codes("installation,attributes", #"i1,"{},""is_test"":true""#) == ["attributes not-json"])
        #expect(try Self.codes("installation,settings", #"i1,"{}}""#) == ["settings not-json"])
    }

    @Test func lineWithATokenNeedsItsEnvironmentAndOneWithoutDoesNot() throws {
        #expect(try Self.codes("installation,token,environment", "i1,00,") == ["environment missing"])
        #expect(try Self.body("installation,token,environment", "i1,,").changes == DeviceChanges())
    }

    @Test func problemsOfALineAreAllNamed() throws {
        #expect(
            try Self.codes("installation,token,environment,is_test", "i 1,0,moon,maybe") == [
                "installation invalid-installation", "token odd-digits", "environment unknown-environment",
                "is_test wrong-type",
            ])
        #expect(try Self.codes("installation,activity", "i1,x") == ["activity not-allowed"])
        #expect(try Self.codes("installation,kind", "i1,live_activity_update") == ["activity missing"])
        #expect(try Self.codes("installation,user_id", "i1") == [" wrong-field-count"])
        #expect(try Self.codes("installation,user_id", "i1,a\"b,c") == [" wrong-field-count"])
        #expect(try Self.codes("installation,user_id", "i1,\"a\"b") == [" text-after-quote"])
        #expect(try Self.codes("installation,user_id", ",x") == ["installation missing"])
        #expect(try Self.codes("installation,user_id", "i1,a\0b") == ["user_id null-character"])
    }

    @Test func bytesThatAreNoUTF8SpoilTheirLineOnly() throws {
        let bytes =
            Array("installation,user_id,tags\n".utf8) + Array("i1,a".utf8) + [0xFF] + Array(",\ni2,b,\n".utf8)
            + Array("i3,,x".utf8) + [0xC3] + Array("\n".utf8)
        let lines = try Self.read(.csv, [bytes])
        #expect(lines.map(\.number) == [2, 3, 4])
        #expect(lines.map { if case .device = $0.content { true } else { false } } == [false, true, false])
    }

    @Test func headerThatWillNotDoIsRefusedAsAWhole() throws {
        func paths(_ header: String) -> [String] {
            do {
                _ = try Self.csv(header)
                return []
            } catch {
                let problems = (error as? APIError)?.problems ?? []
                return problems.map { "\($0.path) \($0.code)" }
            }
        }
        #expect(paths("installation, Token ,environment\n") == [])
        #expect(paths("user_id,tokn\n") == ["header.tokn unknown-column", "header.installation missing"])
        #expect(paths("token,user_id\n") == ["header.environment missing"])
        #expect(paths("installation,user_id,user_id") == ["header.user_id duplicate-column"])
        #expect(paths("installation,token,push_token,environment") == ["header.push_token duplicate-column"])
        #expect(paths("installation,attr.visits:numbr") == ["header.attr.visits:numbr unknown-column"])
        #expect(paths("installation,attr.a,attr.a:number") == ["header.attr.a:number duplicate-column"])
        #expect(paths("installation,attributes,attr.a") == ["header.attributes not-allowed"])
        #expect(paths("\"installation") == ["header unclosed-quote"])
        #expect(throws: APIError.self) { try Self.csv("") }
        #expect(throws: APIError.self) { try Self.csv("\u{FEFF}\n\n") }
    }

    @Test func objectThatIsNoneAndALineThatIsTooLongAreRefusedByTheirNumber() throws {
        let long = #"{"installation":"i1","user_id":"\#(String(repeating: "a", count: ObjectSplitter.maximumSize))"}"#
        let text = "{\"installation\":\"i1\"}\n\n{\n\(long)\n3\n{\"installation\":\"i2\",\"nope\":1}"
        let broken = Array("\n{\"installation\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        let lines = try Self.read(.ndjson, [Array(text.utf8) + broken])
        let codes = lines.map { line -> String in
            guard case .refused(let problems) = line.content else { return "" }
            return problems.problems.map(\.code).joined(separator: " ")
        }
        #expect(lines.map(\.number) == [1, 3, 4, 5, 6, 7])
        #expect(codes == ["", "invalid-json", "too-long", "wrong-type", "unknown-field", "not-utf8"])
    }

    /// Damaged files: all cuts say the same of each line, and nothing traps.
    @Test(arguments: FileFormat.allCases, 0..<4)
    func damagedFilesReadTheSameHoweverTheyAreCut(_ format: FileFormat, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            var bytes: [UInt8] = []
            if format == .csv {
                bytes = Array("Installation;Token;environment;tags;attr.n:number;attributes2\n".utf8)
                if Bool.random(using: &random) { bytes = Array("installation,user_id,tags,attributes,is_test\n".utf8) }
                for index in 0..<Int.random(in: 0...5, using: &random) {
                    bytes += Array(#"i\#(index),"a,""b",x;y,"{""k"":[1,2]}",true"#.utf8) + [0x0A]
                }
            } else {
                for _ in 0..<Int.random(in: 0...5, using: &random) {
                    bytes += Mutation.damage(Mutation.body(&random), &random) + [0x0A]
                }
            }
            bytes = Mutation.damage(bytes, &random)
            let cuts = Cuts.all(bytes, &random).map { pieces -> [String] in
                do {
                    return try Self.read(format, pieces).map { "\($0.number) \($0.content)" }
                } catch {
                    return ["\(error)"]
                }
            }
            #expect(cuts[0] == cuts[1] && cuts[0] == cuts[2])
        }
    }
}

extension DeviceLine.Content {
    /// Throws the problems of a line that was refused.
    var body: RegistrationBody {
        get throws {
            switch self {
            case .device(let body): return body
            case .refused(let problems): throw problems
            case .leftOut: throw Problems([])
            }
        }
    }
}
