import Administration
import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

@testable import API
@testable import Store

struct DeviceFileRoutesTests {
    private static let ndjson = "application/x-ndjson"

    private static func post(
        _ phone: DeviceAPIFixture, _ file: String, type: String = "text/csv", query: String = ""
    ) async throws -> (status: Int, json: JSON) {
        let answer = try await phone.send(.post, "/devices/import" + query, file, key: phone.secret, type: type)
        return (answer.status, answer.json)
    }

    /// Every column of every device, but for what the database makes up.
    private static func state(_ phone: DeviceAPIFixture) async throws -> [String] {
        try await phone.pool.query(
            """
            SELECT (to_jsonb(d) - '{id,created_at,updated_at,token_registered_at,imported_as_of,stated_at}'::text[])::text
            FROM devices d
            ORDER BY installation, kind, activity
            """
        ).map { try $0[0] }
    }

    @Test func fileOfCSVIsStoredAndItsRefusedLinesAreNamed() async throws {
        try await DeviceAPIFixture.run { phone in
            let report = try await Self.post(
                phone,
                """
                \u{FEFF}installation,token,environment,time_zone,tags,attr.plan\r
                i1,01,production,Moon,vip;beta,free\r
                i2,0,production,,,\r
                \r
                "i3",03,development,UTC,,"a\n""b"" c"\r
                i4,,,,,gold\r
                i1,04,production,,,gold
                """)

            #expect(report.status == 200)
            #expect(report.json["lines"] == 5 && report.json["stored"] == 3 && report.json["failed"] == 2)
            let refusals = report.json["failures"]?.elements ?? []
            #expect(refusals.map { $0["line"] } == [3, 7])
            #expect(refusals.compactMap { $0["problems"]?.elements?.first?["code"] } == ["odd-digits", "missing"])
            #expect(report.json["warnings"] == ["short-token": 3, "unknown-time-zone": 1])
            let changes = report.json["changes"]?.elements ?? []
            #expect(changes.map { $0["line"] } == [2, 5, 8])
            let first = changes.first?["problems"]?.elements ?? []
            #expect(first.compactMap { $0["code"]?.string }.sorted() == ["short-token", "unknown-time-zone"])
            #expect(first.allSatisfy { $0["severity"] == "warning" })
            #expect(
                report.json["file"] == [
                    "format": "csv", "compression": .null, "encoding": "utf-8", "separator": ",", "vendor": .null,
                    "columns_left_out": [],
                ])
            let rows = try await phone.pool.query(
                "SELECT installation, encode(token, 'hex'), tags, attributes->>'plan' FROM devices ORDER BY 1")
            #expect(rows.count == 2)
            #expect(try rows[0][1] == "04" && rows[0][2] == ["beta", "vip"] && rows[0][3] == "gold")
            #expect(try rows[1][0] == "i3" && rows[1][3] == "a\n\"b\" c")
        }
    }

    @Test func linesOfJSONRegisterChangeAndClear() async throws {
        try await DeviceAPIFixture.run { phone in
            let first =
                #"{"installation":"i1","token":"01","environment":"production","user_id":"anna","is_test":true}"#
            let report = try await Self.post(
                phone, first + "\n" + #"{"installation":"i1","user_id":null,"nickname":"x"}"# + "\n{\n",
                type: Self.ndjson)
            #expect(report.json["stored"] == 2 && report.json["failed"] == 1)
            #expect(report.json["failures"]?.elements?.first?["line"] == 3)
            let row = try await phone.pool.query("SELECT user_id, nickname, is_test FROM devices")[0]
            #expect(try row[0, as: String?.self] == nil && row[1] == "x" && row[2] == true)
        }
    }

    @Test func fileThatWillNotDoAsAWholeStoresNothing() async throws {
        try await DeviceAPIFixture.run { phone in
            let header = try await Self.post(phone, "installation,tokn\ni1,00\n")
            #expect(header.status == 422)
            #expect(header.json["problems"]?.elements?.map { $0["path"] } == ["header.tokn"])
            #expect(try await Self.post(phone, "").status == 400)
            #expect(try await Self.post(phone, "{}", type: "multipart/form-data").status == 415)
            #expect(try await Self.post(phone, "installation\n").json["lines"] == 0)
            #expect(try await Self.post(phone, "", type: Self.ndjson).json["lines"] == 0)
            #expect(try await phone.send(.post, "/devices/import", "", type: "text/csv").status == 403)
        }
    }

    @Test func filesOfManyGroupsAreStoredInTheirOrder() async throws {
        try await DeviceAPIFixture.run { phone in
            let count = 2 * DeviceImport.groupSize + 7
            var file = "installation,token,environment,user_id\n"
            // Each device twice, far apart: the later holds.
            for round in 0..<2 {
                for index in 0..<count {
                    file +=
                        "i\(index),\(String(65_536 + index, radix: 16).dropFirst())ff,production,\(index % 100)-round\(round)\n"
                }
            }
            let report = try await Self.post(phone, file)
            #expect(report.json["stored"] == .number(.init(2 * count)))
            let rows = try await phone.pool.query(
                "SELECT split_part(user_id, '-', 2), count(*) FROM devices GROUP BY 1")
            #expect(rows.count == 1)
            #expect(try rows[0][0] == "round1" && rows[0][1] == count)
        }
    }

    @Test func refusedLinesAreCountedAllAndNamedToALimit() {
        let problem = Problem(path: "token", code: "missing", message: "is required")
        let count = ImportReport.maximumProblems + 5
        var report = ImportReport()
        // In groups, as they are stored.
        let warning = Problem(path: "token", code: "short-token", message: "is short", severity: .warning)
        for first in stride(from: 1, through: count, by: DeviceImport.groupSize) {
            var group = ImportReport()
            for line in first..<min(first + DeviceImport.groupSize, count + 1) {
                group.addRefused(line: line, [problem])
                group.addStored(line: line, [warning])
            }
            report.add(group)
        }

        #expect(report.json["failed"] == .number(.init(count)))
        #expect(report.json["failures"]?.elements?.count == ImportReport.maximumProblems)
        #expect(report.json["failures"]?.elements?.last?["line"] == .number(.init(ImportReport.maximumProblems)))
        #expect(report.json["changes"]?.elements?.count == ImportReport.maximumChanges)
        #expect(report.json["warnings"] == ["short-token": .number(.init(count))])
    }

    @Test func sheetOfAnotherProgramIsStoredAsThePersonSays() async throws {
        try await DeviceAPIFixture.run { phone in
            let bytes = Array("Push Token;Ort;Rang\r0a01;M".utf8) + [0xFC] + Array("nchen;3\r".utf8)
            let query = "?encoding=windows-1252&columns=token,attr.city,&environment=development"
            for _ in 0..<2 {
                let answer = try await phone.sendBytes(.post, "/devices/import" + query, bytes, type: "text/csv")
                let report = try JSON(parsing: answer.bytes)
                #expect(answer.status == 200 && report["stored"] == 1)
                #expect(report["file"]?["columns_left_out"] == ["Rang"] && report["file"]?["separator"] == ";")
            }
            let rows = try await phone.pool.query(
                "SELECT encode(token, 'hex'), attributes->>'city', environment FROM devices")
            #expect(rows.count == 1)
            #expect(try rows[0][0] == "0a01" && rows[0][1] == "München")
            #expect(try await Self.post(phone, "", query: "?encoding=ebcdic").status == 400)
            #expect(try await Self.post(phone, "", query: "?environment=moon").status == 400)
        }
    }

    @Test func linesAboutOtherPlatformsAreLeftOutAndCounted() async throws {
        try await DeviceAPIFixture.run { phone in
            let report = try await Self.post(
                phone,
                """
                channel_id,device_type,push_address,opt_in,ip
                c1,ios,0a01,false,1
                c2,android,x,true,2
                c3,web,y,true,3
                """)
            #expect(report.json["stored"] == 1 && report.json["left_out"] == 2 && report.json["lines"] == 3)
            #expect(report.json["file"]?["vendor"] == "Airship")
            #expect(report.json["file"]?["columns_left_out"] == ["ip"])
            let rows = try await phone.pool.query("SELECT installation, authorization_status, opt_outs FROM devices")
            #expect(try rows.count == 1 && rows[0][0] == "c1" && rows[0][1, as: Int16.self] == 2 && rows[0][2] == ["*"])
        }
    }

    @Test func previewShowsTheColumnsAndStoresNothing() async throws {
        try await DeviceAPIFixture.run { phone in
            func preview(_ query: String, _ file: String, type: String = "text/csv") async throws -> JSON {
                let path = "/devices/import/preview" + query
                return try await phone.send(.post, path, file, key: phone.secret, type: type).json
            }
            let file = "Push Token;Stadt;tokne\n0a01;\"München; Süd\";x\nzz;Bonn;y\n0a"
            let first = try await preview("?part=true", file)
            let columns = first["columns"]?.elements ?? []
            #expect(columns.map { $0["becomes"] } == ["token", .null, .null])
            #expect(columns.map { $0["recognition"] } == ["known", "unknown", "unknown"])
            #expect(columns.map { $0["suggestion"] } == [.null, .null, "token"])
            #expect(columns.map { $0["values"] } == [["0a01", "zz"], ["München; Süd", "Bonn"], ["x", "y"]])
            #expect(first["needs_environment"] == true && first["file"]?["separator"] == ";")
            #expect(first["problems"]?.elements?.count == 3 && first["lines"] == 2)

            let second = try await preview("?part=true&environment=production&columns=token,attr.city,", file)
            #expect(second["problems"] == [] && second["accepted"] == 1 && second["failed"] == 1)
            #expect(second["failures"]?.elements?.first?["line"] == 3)
            #expect(second["changes"]?.elements?.first?["line"] == 2)

            let objects = try await preview("", "{\"installation\":\"i1\",\"shoe\":[1]}", type: Self.ndjson)
            #expect(objects["columns"]?.elements?.map { $0["values"] } == [["i1"], ["[1]"]])
            #expect(objects["failed"] == 1)
            #expect(objects["columns"]?.elements?.map { $0["recognition"] } == ["known", "unknown"])
            let named = try await preview(
                "?columns=installation%3Dinstallation,shoe%3Dattr.shoe", "[{\"installation\":\"i1\",\"shoe\":[1]}]")
            #expect(
                named["accepted"] == 1
                    && named["columns"]?.elements?.map { $0["becomes"] } == ["installation", "attr.shoe"])
            #expect(first["possible_encodings"] == [])
            let windows = Array("token;x\n0a;M".utf8) + [0xFC, 0x0A, 0xFC]
            let unknown = try await phone.sendBytes(
                .post, "/devices/import/preview?part=true", windows, type: "text/csv")
            #expect(try JSON(parsing: unknown.bytes)["possible_encodings"]?.elements?.first == "windows-1252")
            #expect(try await preview("", "")["columns"] == [])
            #expect(try await phone.send(.post, "/devices/import/preview", "", type: "text/csv").status == 403)
            #expect(try await phone.pool.query("SELECT 1 FROM devices").isEmpty)
        }
    }

    /// The progress counts the lines that are stored: those of a group that is being stored are only read.
    @Test func progressOfAnImportCanBeReadWhileItRuns() async throws {
        try await DeviceAPIFixture.run { phone in
            let name = try #require(ImportsInProgress.Name("nightly", of: phone.app))
            let imports = ImportsInProgress()
            #expect(imports[name] == nil)
            imports.set(RunningImport(bytes: 10, lines: 2, stored: 1, refused: 1), of: name)
            #expect(imports[name]?.json["stored"] == 1 && imports[name]?.json["bytes_read"] == 10)
            imports.remove(name)
            #expect(imports[name] == nil)
            #expect(ImportsInProgress.Name("a b", of: phone.app) == nil)

            #expect(try await Self.post(phone, "installation\n", query: "?import=nightly").status == 200)
            let answer = try await phone.send(.get, "/devices/import/nightly/progress", key: phone.secret)
            #expect(answer.status == 200 && answer.json == ["is_running": false])
        }
    }

    /// A compressed file that was cut off: the lines before its end are stored.
    @Test func fileThatCanNotBeReadToItsEndSaysWhatWasStored() async throws {
        try await DeviceAPIFixture.run { phone in
            let count = 2 * DeviceImport.groupSize
            var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
            for number in 1...count {
                let line = Array(#"{"installation":"i\#(number)","token":"","environment":"x"}\#n"#.utf8)
                // A stored block of deflate (RFC 1951 §3.2.4) that is not the last one.
                file += [0, UInt8(line.count), 0, ~UInt8(line.count), 0xFF] + line
            }
            let answer = try await phone.sendBytes(
                .post, "/devices/import", file, type: Self.ndjson, headers: [.contentEncoding: "gzip"])
            let problem = try JSON(parsing: answer.bytes)
            #expect(answer.status == 400)
            #expect(problem["code"] == "invalid-gzip")
            #expect(problem["detail"]?.string?.contains("Before that, 0 lines were stored and 2000 failed.") == true)
        }
    }

    /// With tokens the file makes the same devices again; without, it changes those that are there.
    @Test(arguments: FileFormat.allCases)
    func exportIsImportedAsItWas(_ format: FileFormat) async throws {
        try await DeviceAPIFixture.run { phone in
            let devices = #"""
                {"devices":[
                 {"installation":"i1","token":"01","environment":"production","locale":"de-DE","time_zone":"UTC",
                  "os_version":"26.1","app_version":"4.2","model":"iPhone18,1","user_id":"a\"b,c;d",
                  "person":{"attributes":{"name":"Ada, \"A\""},"tags":["vip"],"opt_outs":["offers"]},
                  "authorization_status":"provisional","settings":{"sound":"disabled"},"tags":["vip","a;b, \"c\""],
                  "opt_outs":["news"],"attributes":{"n":1.50,"s":"ä\r\n","o":{"x":[null,true]}," a":1},
                  "is_test":true,"nickname":" Anna's "},
                 {"installation":"i1","token":"02","environment":"development","kind":"live_activity_update",
                  "activity":"A,1"},
                 {"installation":"i2","token":"03","environment":"production","authorization_status":"denied"}]}
                """#
            #expect(try await phone.send(.post, "/devices", devices, key: phone.secret).json["stored"] == 3)
            let before = try await Self.state(phone)
            let query = "/devices/export?format=\(format.rawValue)"
            let whole = try await phone.sendBytes(.get, query + "&tokens=true")
            let tokenless = try await phone.sendBytes(.get, query)
            #expect(whole.status == 200 && tokenless.status == 200)
            #expect(whole.headers[.contentType]?.hasPrefix(format.contentType) == true)
            #expect(!String(decoding: tokenless.bytes, as: UTF8.self).contains("token"))

            try await phone.pool.changeDevices(
                """
                nickname = NULL, attributes = '{"x":1}', tags = '{x}', opt_outs = '{x}', settings = '{}',
                    is_test = NOT is_test, authorization_status = 0
                """)
            let changed = try await phone.sendBytes(
                .post, "/devices/import?replace_opt_outs=true", tokenless.bytes, type: format.contentType)
            #expect(try JSON(parsing: changed.bytes)["stored"] == 3)
            #expect(try await Self.state(phone) == before)

            try await phone.pool.execute("DELETE FROM devices")
            let made = try await phone.sendBytes(.post, "/devices/import", whole.bytes, type: format.contentType)
            #expect(try JSON(parsing: made.bytes)["stored"] == 3)
            #expect(try await Self.state(phone) == before)

            try await phone.pool.execute("DELETE FROM devices")
            let none = try await phone.sendBytes(.post, "/devices/import", tokenless.bytes, type: format.contentType)
            #expect(try JSON(parsing: none.bytes)["failed"] == 3)
        }
    }

    /// Texts that a spreadsheet would run as formulas, and texts that only look like marked ones.
    @Test(arguments: [false, true])
    func exportedTextsAreNoFormulasAndAreImportedUnchanged(_ isExact: Bool) async throws {
        try await DeviceAPIFixture.run { phone in
            let texts = [
                "=1+1", "+49170", "-2", "@SUM(A1)", "'=x", "''-1", "'plain", "plain=", "＝1+1", "＋49", "－2",
                "＠A1",
            ]
            let devices = texts.enumerated().map { index, text in
                [
                    "installation": .string("\(index + 10)"), "token": .string("\(index + 10)"),
                    "environment": "production", "nickname": .string(text),
                ] as JSON
            }
            let body = String(decoding: (["devices": .array(devices)] as JSON).encoded(), as: UTF8.self)
            let stored = JSON.number(JSON.Number(texts.count))
            #expect(try await phone.send(.post, "/devices", body, key: phone.secret).json["stored"] == stored)
            let before = try await Self.state(phone)
            let file = try await phone.sendBytes(.get, "/devices/export?tokens=true\(isExact ? "&exact=true" : "")")
            var parser = CSVParser()
            var records: [CSVParser.Record] = []
            parser.feed(file.bytes, into: &records)
            parser.finish(into: &records)
            let header = try #require(records.first).fields.map { String(decoding: $0, as: UTF8.self) }
            let column = try #require(header.firstIndex(of: "nickname"))
            let fields = records.dropFirst().map { String(decoding: $0.fields[column], as: UTF8.self) }
            let marked = [Set([4, 5]), Set([0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12])][isExact ? 0 : 1]
            #expect(fields == texts.enumerated().map { marked.contains($0.offset) ? "'" + $0.element : $0.element })

            try await phone.pool.execute("DELETE FROM devices")
            let made = try await phone.sendBytes(.post, "/devices/import", file.bytes, type: "text/csv")
            #expect(try JSON(parsing: made.bytes)["stored"] == stored)
            #expect(try await Self.state(phone) == before)
        }
    }

    @Test func exportTellsLiveDevicesByTheFilterAndTokensByTheScopeOnly() async throws {
        try await DeviceAPIFixture.run { phone in
            for index in 1...4 {
                let body = #"{"token":"0\#(index)0\#(index)","environment":"production","tags":["t\#(index % 2)"]}"#
                #expect(try await phone.send(.put, "/devices/i-\(index)", body).status == 200)
            }
            #expect(try await phone.send(.delete, "/devices/i-3").status == 204)
            let file = try await phone.sendBytes(.get, "/devices/export?tag=t1")
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 2 && lines[1].hasPrefix("i-1,alert,,production"))

            let reader = try await phone.keys.create(
                app: phone.app, kind: .secret, name: "r", scopes: [.devicesExport]
            ).text
            #expect(try await phone.sendBytes(.get, "/devices/export", key: reader).status == 200)
            #expect(try await phone.sendBytes(.get, "/devices/export?tokens=true", key: reader).status == 403)
            let lister = try await phone.keys.create(
                app: phone.app, kind: .secret, name: "l", scopes: [.devicesRead]
            ).text
            #expect(try await phone.sendBytes(.get, "/devices", key: lister).status == 200)
            #expect(try await phone.sendBytes(.get, "/devices/export", key: lister).status == 403)
            #expect(try await phone.sendBytes(.get, "/devices/export", key: phone.publishable).status == 403)
            #expect(try await phone.sendBytes(.get, "/devices/export?format=xml").status == 400)
            #expect(try await phone.sendBytes(.get, "/devices/export?token=true").status == 400)
        }
    }

    /// What an old file says of a device that has logged out, opted out and was deleted since.
    @Test func oldFileNeitherErasesOptOutsNorRevives() async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"{"token":"01","environment":"production","user_id":"anna","locale":"de"}"#
            #expect(try await phone.send(.put, "/devices/i1", body).status == 200)
            #expect(try await phone.send(.put, "/devices/i2", body.replacing("01", with: "02")).status == 200)
            let file =
                "installation,token,environment,user_id,opt_outs,locale\ni1,01,production,anna,news,fr\n"
                + "i2,02,production,anna,news,fr\n"
            #expect(try await phone.send(.patch, "/devices/i1", #"{"add_opt_outs":["offers"]}"#).status == 200)
            #expect(try await phone.send(.post, "/devices/i2/logout", "{}").json["logged_out"] == 1)
            #expect(try await phone.send(.delete, "/devices/i2").status == 204)

            for query in ["", "?as_of=2020-01-01T00:00:00Z", "?replace_opt_outs=true"] {
                let report = try await Self.post(phone, file, query: query).json
                #expect(report["stored"] == 2 && report["newer"] == 2 && report["opt_outs_removed"] == 0)
                #expect(report["opt_outs_kept"] == 1)
                let state: PostgresQuery = """
                    SELECT concat_ws('|', installation, retired_reason, user_id, locale, opt_outs) FROM devices ORDER BY 1
                    """
                #expect(
                    try await phone.pool.query(state).map { try $0[0, as: String.self] }
                        == ["i1|anna|de|{news,offers}", "i2|5|de|{news}"])
            }
            // A new file counts, but opt-outs are only removed on request.
            let new = try await Self.post(phone, file, query: "?as_of=now").json
            #expect(new["newer"] == 0 && new["opt_outs_kept"] == 1)
            let forced = try await Self.post(phone, file, query: "?replace_opt_outs=true&overwrite_newer=true").json
            #expect(forced["newer"] == 0 && forced["opt_outs_removed"] == 1)
            #expect(
                try await phone.pool.query("SELECT opt_outs FROM devices ORDER BY installation")[0][0] == ["news"])
        }
    }

    /// What an old file says of people who were erased since: by their user ID, by a token of theirs, and by neither a known
    /// device nor a user.
    @Test func fileFromBeforeAnErasureBringsNobodyBack() async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"{"token":"01","environment":"production","user_id":"anna"}"#
            #expect(try await phone.send(.put, "/devices/i1", body).status == 200)
            #expect(try await phone.send(.delete, "/people/anna", key: phone.secret).json["erased_devices"] == 1)
            // Nothing was known of him, but the vendor's file may have him.
            #expect(try await phone.send(.delete, "/people/ben", key: phone.secret).json["erased_devices"] == 0)
            let file = #"""
                {"installation":"i9","token":"09","environment":"production","user_id":"anna","person":{"tags":["vip"]}}
                {"installation":"vendor-1","token":"01","environment":"production","tags":["vip"]}
                {"installation":"i1","token":"02","environment":"production"}
                {"installation":"i2","token":"03","environment":"production","user_id":"ben","person":{"opt_outs":["news"]}}
                {"installation":"i3","token":"04","environment":"production","user_id":"cleo"}

                """#
            for query in ["", "?as_of=2020-01-01T00:00:00Z", "?replace_opt_outs=true"] {
                let report = try await Self.post(phone, file, type: Self.ndjson, query: query).json
                #expect(report["erased"] == 4 && report["stored"] == 1 && report["lines"] == 5, "\(query)")
            }
            let installations: PostgresQuery = "SELECT installation FROM devices ORDER BY 1"
            #expect(try await phone.pool.query(installations).map { try $0[0, as: String.self] } == ["i3"])
            #expect(try await phone.pool.query("SELECT FROM people").isEmpty)

            // The app names the person again. The old file still says nothing new of them, but for opt-outs.
            #expect(try await phone.send(.put, "/devices/i2", body.replacing("anna", with: "ben")).status == 200)
            let old = try await Self.post(phone, file, type: Self.ndjson, query: "?as_of=2020-01-01T00:00:00Z").json
            // The token of the second line is theirs now.
            #expect(old["erased"] == 2 && old["newer"] == 2 && old["stored"] == 3)

            let new = try await Self.post(phone, file, type: Self.ndjson, query: "?as_of=now").json
            #expect(new["erased"] == 0 && new["stored"] == 5)
            #expect(try await phone.pool.query("SELECT tags FROM people WHERE user_id = 'anna'")[0][0] == ["vip"])
        }
    }

    /// A device of a file that the app, a logout or a tag change has changed is newer than the file.
    @Test func changeOfADeviceFromAFileIsNewerThanTheFile() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = """
                installation,token,environment,user_id,tags
                i1,01,production,anna,vip
                i2,02,production,anna,vip

                """
            #expect(try await Self.post(phone, file, query: "?as_of=2026-01-02T00:00:00Z").json["stored"] == 2)
            let patch = #"{"user_id":null,"tags":["staff"],"authorization_status":"denied"}"#
            #expect(try await phone.send(.patch, "/devices/i1", patch).status == 200)
            #expect(try await phone.send(.post, "/devices/i2/logout", "{}").json["logged_out"] == 1)
            for query in ["?as_of=2026-01-02T00:00:00Z", ""] {
                #expect(try await Self.post(phone, file, query: query).json["newer"] == 2)
            }
            let users = try await phone.pool.query(
                "SELECT concat_ws('|', installation, user_id, tags) FROM devices ORDER BY 1")
            #expect(try users.map { try $0[0, as: String.self] } == ["i1|{staff}", "i2|{vip}"])
        }
    }

    /// A fresh export still has the token and the user of before the move.
    @Test func fileChangesNeitherUserNorTokenOfADeviceThatTheAppHasRegistered() async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"{"token":"01","environment":"production"}"#
            let registered = try await phone.send(.put, "/devices/i1", body)
            #expect(registered.status == 200)
            let file = "installation,token,environment,user_id,locale\ni1,02,development,anna,de\n"
            #expect(try await Self.post(phone, file, query: "?as_of=now").json["stored"] == 1)
            let state: PostgresQuery =
                "SELECT concat_ws('|', encode(token, 'hex'), user_id, locale) FROM devices"
            #expect(try await phone.pool.query(state)[0][0, as: String.self] == "01|de")
            #expect(try await Self.post(phone, file, query: "?as_of=now&overwrite_newer=true").json["stored"] == 1)
            #expect(try await phone.pool.query(state)[0][0, as: String.self] == "02|anna|de")
        }
    }

    /// The vendor's row has another installation, or none, so only the token tells that the device is known.
    @Test func oldFileDoesNotBringARemovedTokenBack() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = "token,environment,user_id\n01,production,anna\n"
            let stored = try await Self.post(phone, file, query: "?as_of=2026-01-02T00:00:00Z")
            #expect(stored.json["stored"] == 1)
            #expect(
                try await phone.send(.put, "/devices/own", #"{"token":"01","environment":"production"}"#).status == 200)
            #expect(try await phone.send(.delete, "/devices/own").status == 204)
            #expect(try await Self.post(phone, file, query: "?as_of=2026-01-02T00:00:00Z").json["erased"] == 1)
            #expect(try await phone.pool.query("SELECT FROM devices").count == 1)
        }
    }

    /// Exports have a row for each installation that ever had a token. The newest counts, wherever it stands.
    @Test func newestLineOfATokenOrAPersonCounts() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = #"""
                {"installation":"a","token":"01","environment":"production","user_id":"new","opt_outs":["offers"],"as_of":"2026-01-02T00:00:00Z","person":{"attributes":{"plan":"gold"}}}
                {"installation":"b","token":"01","environment":"production","user_id":"old","as_of":"2020-01-02T00:00:00Z"}
                {"installation":"c","token":"02","environment":"production","user_id":"new","as_of":"2020-01-02T00:00:00Z","person":{"attributes":{"plan":"free"}}}

                """#
            let report = try await Self.post(phone, file, type: Self.ndjson)
            #expect(report.json["newer"] == 1)
            let state: PostgresQuery = "SELECT concat_ws('|', installation, user_id, opt_outs) FROM devices ORDER BY 1"
            #expect(
                try await phone.pool.query(state).map { try $0[0, as: String.self] } == ["a|new|{offers}", "c|new|{}"])
            #expect(
                try await phone.pool.query("SELECT attributes->>'plan' FROM people")[0][0, as: String.self] == "gold")
        }
    }

    @Test func fileIsNotFromTheFuture() async throws {
        try await DeviceAPIFixture.run { phone in
            let line = #"{"installation":"i1","token":"01","environment":"production","as_of":"2099-01-01T00:00:00Z"}"#
            let refused = try await Self.post(phone, line, type: Self.ndjson, query: "?as_of=2099-01-01T00:00:00Z")
            #expect(refused.status == 400 && refused.json["code"] == "invalid-as-of")
            #expect(try await Self.post(phone, line, type: Self.ndjson).json["stored"] == 1)
            #expect(try await phone.pool.query("SELECT imported_as_of <= now() FROM devices")[0][0, as: Bool.self])
        }
    }

    @Test func consentOfAPersonIsOnlyAdded() async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"""
                {"token":"01","environment":"production","user_id":"anna",
                 "person":{"opt_outs":["offers"],"attributes":{"plan":"gold"}}}
                """#
            #expect(try await phone.send(.put, "/devices/i1", body).status == 200)
            #expect(try await phone.send(.post, "/devices/i1/logout", "{}").json["logged_out"] == 1)
            let line =
                #"{"installation":"i1","user_id":"anna","person":{"opt_outs":["news"],"attributes":{"plan":"old"}}}"#
            let report = try await Self.post(phone, line, type: Self.ndjson).json
            #expect(report["newer"] == 1 && report["opt_outs_kept"] == 1)
            let person = try await phone.pool.query("SELECT opt_outs, attributes->>'plan' FROM people")[0]
            #expect(try person[0] == ["news", "offers"] && person[1] == "gold")
            #expect(try await phone.pool.query("SELECT user_id FROM devices")[0][0, as: String?.self] == nil)
        }
    }

    /// The app registers a token that was imported, under a name of its own.
    @Test func installationTakesOverWhatAFileSaidOfItsToken() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = """
                installation,token,environment,opt_outs,tags,attr.plan,nickname
                vendor-1,0A,production,offers,vip,gold,Anna
                vendor-2,0B,production,offers,vip,gold,

                """
            #expect(try await Self.post(phone, file).json["stored"] == 2)
            let id: Int64 = try await phone.pool.query("SELECT id FROM devices WHERE token = '\\x0a'")[0][0]
            // New to Belfry, and one that had another token.
            let new = #"{"token":"0a","environment":"development","opt_outs":[],"attributes":{"theme":"dark"}}"#
            #expect(try await phone.send(.put, "/devices/own-1", new).json["registered"] == true)
            #expect(try await phone.send(.put, "/devices/own-2", new.replacing("0a", with: "0c")).status == 200)
            #expect(try await phone.send(.put, "/devices/own-2", new.replacing("0a", with: "0b")).status == 200)
            let rows = try await phone.pool.query(
                """
                SELECT id, installation, opt_outs, tags, attributes->>'plan', attributes->>'theme', nickname, environment,
                    imported_as_of IS NULL
                FROM devices WHERE retired_at IS NULL ORDER BY installation
                """)
            #expect(try rows.map { try $0[1, as: String.self] } == ["own-1", "own-2"])
            for row in rows {
                #expect(try row[2] == ["offers"] && row[3] == ["vip"] && row[4] == "gold" && row[5] == "dark")
                #expect(try row[7, as: Int16.self] == 1 && row[8] == true)
            }
            #expect(try rows[0][0] == id && rows[0][6] == "Anna")
            // By name, the app removes it.
            _ = try await phone.send(.patch, "/devices/own-1", #"{"remove_opt_outs":["offers"]}"#)
            #expect(try await phone.pool.query("SELECT opt_outs FROM devices WHERE id = \(id)")[0][0] == [String]())
        }
    }

    /// The first start of the app states what iOS allows. It is not asked for consent, and does not give it.
    @Test func unsubscribedStaysSoWhenTheAppStarts() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = "channel_id,device_type,push_address,opt_in\nc1,ios,0A,false\nc2,ios,0B,true\n"
            let report = try await Self.post(phone, file, query: "?as_of=2026-01-02T00:00:00Z").json
            #expect(report["stored"] == 2 && report["opted_out"] == 1)
            let start =
                #"{"token":"0a","environment":"production","authorization_status":"authorized","opt_outs":[],"user_id":"a"}"#
            #expect(try await phone.send(.put, "/devices/own", start).status == 200)
            let optOuts: PostgresQuery = "SELECT opt_outs FROM devices WHERE installation = 'own'"
            #expect(try await phone.pool.query(optOuts)[0][0] == ["*"])
            // Neither a login nor a logout is consent, and a later file does not take the no back unless it may.
            #expect(try await phone.send(.post, "/devices/own/logout", "{}").json["logged_out"] == 1)
            let later = file.replacing("false", with: "true")
            #expect(try await Self.post(phone, later, query: "?as_of=now").json["opt_outs_kept"] == 1)
            #expect(try await phone.pool.query(optOuts)[0][0] == ["*"])
            #expect(
                try await Self.post(phone, later, query: "?as_of=now&replace_opt_outs=true").json["opt_outs_removed"]
                    == 1)
            #expect(try await phone.pool.query(optOuts)[0][0] == [String]())
            // The switch in the app.
            #expect(try await phone.send(.patch, "/devices/own", #"{"add_opt_outs":["*"]}"#).json["warnings"] == [])
            #expect(try await phone.pool.query(optOuts)[0][0] == ["*"])
        }
    }

    /// The app starts again and again with what it knows, or leaves attributes out.
    @Test(arguments: ["own", "vendor-1"])
    func attributesOfAFileStayUntilTheAppNamesThem(_ installation: String) async throws {
        try await DeviceAPIFixture.run { phone in
            let file = """
                installation,token,environment,opt_outs,tags,attr.plan,attr.city
                vendor-1,0A,production,offers,vip,gold,Bern

                """
            let report = try await Self.post(phone, file, query: "?as_of=2026-01-02T00:00:00Z")
            #expect(report.json["stored"] == 1)
            func put(_ members: String) async throws -> [String] {
                let body = #"{"token":"0a","environment":"production"\#(members)}"#
                #expect(try await phone.send(.put, "/devices/\(installation)", body).status == 200)
                let row = try await phone.pool.query(
                    "SELECT attributes->>'plan', attributes->>'city', attributes->>'theme', tags::text, opt_outs::text FROM devices"
                )
                #expect(row.count == 1)
                return try (0..<5).map { try row[0][$0, as: String?.self] ?? "-" }
            }
            let stated = #","attributes":{"theme":"dark"}"#
            for members in [stated + #","opt_outs":[]"#, stated, stated] {
                #expect(try await put(members) == ["gold", "Bern", "dark", "{vip}", "{offers}"])
            }
            #expect(try await put("") == ["gold", "Bern", "-", "{vip}", "{offers}"])
            // What the app has named is its own.
            #expect(try await put(#","attributes":{"plan":"free"}"#) == ["free", "Bern", "-", "{vip}", "{offers}"])
            #expect(try await put(stated) == ["-", "Bern", "dark", "{vip}", "{offers}"])
            #expect(try await put(#","attributes":{"city":null}"#) == ["-", "-", "-", "{vip}", "{offers}"])
            #expect(try await put(#","tags":["staff"]"#) == ["-", "-", "-", "{staff}", "{offers}"])
        }
    }

    @Test func appReplacesAllAttributesOfAFileByName() async throws {
        try await DeviceAPIFixture.run { phone in
            let file = "installation,token,environment,attr.plan\nvendor-1,0A,production,gold\n"
            #expect(try await Self.post(phone, file).json["stored"] == 1)
            let body = #"{"token":"0a","environment":"production","attributes":{"theme":"dark"}}"#
            #expect(try await phone.send(.put, "/devices/own", body).status == 200)
            #expect(try await phone.send(.patch, "/devices/own", #"{"replace_attributes":{"a":1}}"#).status == 200)
            #expect(try await phone.send(.put, "/devices/own", body).status == 200)
            let attributes: String = try await phone.pool.query("SELECT attributes::text FROM devices")[0][0]
            #expect(attributes == #"{"theme": "dark"}"#)
        }
    }

    /// An installation that is there already states the token of a file, with a PATCH and with values of its own.
    @Test(arguments: [false, true])
    func tokenOfAFileIsTakenOverWithAChangeToo(_ hasPerson: Bool) async throws {
        try await DeviceAPIFixture.run { phone in
            let file = """
                installation,token,environment,opt_outs,tags,attr.plan,attr.theme
                vendor-1,0A,production,*;offers,vip,gold,light

                """
            #expect(try await Self.post(phone, file).json["stored"] == 1)
            let person = #","user_id":"ada","person":{"attributes":{"name":"Ada"},"tags":["p"],"opt_outs":["tips"]}"#
            let own = #"""
                {"token":"0c","environment":"production","attributes":{"theme":"dark"},"tags":["staff"],"opt_outs":["news"]\#

                """# + (hasPerson ? person : "") + "}"
            #expect(try await phone.send(.put, "/devices/own", own).status == 200)
            #expect(try await phone.send(.patch, "/devices/own", #"{"token":"0a"}"#).json["registered"] == true)
            let rows = try await phone.pool.query(
                """
                SELECT installation, (attributes - 'name')::text, tags::text, opt_outs::text, attributes->>'name',
                    coalesce(own_attributes, attributes)::text
                FROM devices
                """)
            #expect(rows.count == 1)
            let values = try (1..<4).map { try rows[0][$0, as: String.self] }
            #expect(try rows[0][0] == "own" && rows[0][4, as: String?.self] == (hasPerson ? "Ada" : nil))
            #expect(
                values == [
                    #"{"plan": "gold", "theme": "dark"}"#, hasPerson ? "{p,staff,vip}" : "{staff,vip}",
                    hasPerson ? "{*,news,offers,tips}" : "{*,news,offers}",
                ])
            #expect(try rows[0][5] == #"{"plan": "gold", "theme": "dark"}"#)
            // The next start states what it knows, and a logout takes only the person's.
            let start = #"{"token":"0a","environment":"production","attributes":{"theme":"dark"}}"#
            #expect(try await phone.send(.put, "/devices/own", start).status == 200)
            let after = try await phone.pool.query("SELECT attributes::text, tags::text, opt_outs::text FROM devices")[
                0]
            #expect(try after[0] == #"{"plan": "gold", "theme": "dark"}"#)
            #expect(try after[1] == "{staff,vip}" && after[2] == "{*,news,offers}")
        }
    }

    /// A confirmation changes nothing that is stored, and is newer than the file all the same.
    @Test func confirmationWithATimeIsNewerThanAFileOfTheSameDay() async throws {
        try await DeviceAPIFixture.run { phone in
            func start(_ second: Int) -> String {
                #"{"token":"01","environment":"production","locale":"de","sent_at":"2026-01-02T00:00:0\#(second)Z"}"#
            }
            #expect(try await phone.send(.put, "/devices/i1", start(1)).status == 200)
            try await phone.pool.execute(
                "UPDATE devices SET updated_at = date_trunc('day', now(), 'UTC'), stated_at = updated_at")
            try await phone.pool.execute("UPDATE device_activity SET last_seen_at = date_trunc('day', now(), 'UTC')")
            // Times are compared by the millisecond.
            let asOf: String = try await phone.pool.query(
                """
                SELECT to_char(now() AT TIME ZONE 'UTC' - interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                """)[0][0]
            #expect(try await phone.send(.put, "/devices/i1", start(2)).status == 200)
            let file = "installation,locale\ni1,fr\n"
            #expect(try await Self.post(phone, file, query: "?as_of=\(asOf)").json["newer"] == 1)
            #expect(try await phone.pool.query("SELECT locale FROM devices")[0][0] == "de")
        }
    }

    /// The file comes after the app, with the vendor's name for the installation.
    @Test func fileOfATokenThatTheAppHasRegisteredAddsOptOutsToItsDevice() async throws {
        try await DeviceAPIFixture.run { phone in
            #expect(
                try await phone.send(.put, "/devices/own", #"{"token":"0a","environment":"production"}"#).status == 200)
            let file = "installation,token,environment,opt_outs\nvendor,0a,production,offers\n"
            #expect(try await Self.post(phone, file).json["newer"] == 1)
            let rows = try await phone.pool.query("SELECT installation, opt_outs FROM devices WHERE retired_at IS NULL")
            #expect(rows.count == 1)
            #expect(try rows[0][0] == "own" && rows[0][1] == ["offers"])
        }
    }

    @Test func exportOfManyStepsTellsEachDeviceOnce() async throws {
        try await DeviceAPIFixture.run { phone in
            try await phone.pool.insertDevices(1...2_500, of: phone.app)
            let file = try await phone.sendBytes(.get, "/devices/export?format=ndjson")
            let lines = file.bytes.split(separator: UInt8(ascii: "\n"))
            let installations = try lines.map { try JSON(parsing: Array($0))["installation"] }
            #expect(installations == (1...2_500).map { .string("\($0)") })
        }
    }
}
