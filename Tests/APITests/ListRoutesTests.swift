import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API

/// Filters, search and order of lists.
struct ListRoutesTests {
    private static func names(_ answer: Answer) throws -> [String] {
        try #require(try answer.json["data"]?.elements).compactMap { $0["name"]?.string }
    }

    /// All pages of two entries each.
    private static func all(_ api: APIFixture, _ path: String) async throws -> [String] {
        var names: [String] = []
        var cursor = ""
        repeat {
            let answer = try await api.send(.get, "\(path)&limit=2\(cursor)")
            #expect(answer.status == 200)
            names += try Self.names(answer)
            cursor = try answer.page.next.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return names
    }

    @Test(arguments: ["campaigns", "templates", "segments", "local-plans"])
    func namedThingsAreSearchedSortedAndFiltered(_ collection: String) async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/\(collection)"
            let table = collection.replacing("-", with: "_")
            for name in ["Beta", "alpha", "Gamma sale", "delta", "SALE"] {
                let body: JSON =
                    switch collection {
                    case "templates": ["name": .string(name), "content": ["payload": ["aps": ["alert": "Hi"]]]]
                    case "segments": ["name": .string(name), "audience": ["include": ["tag": "vip"]]]
                    case "local-plans": ["name": .string(name), "notifications": []]
                    default: ["name": .string(name), "payload": ["aps": ["alert": "Hi"]]]
                    }
                #expect(try await api.send(.post, path, body).status == 201)
            }
            try await api.pool.execute(
                """
                UPDATE \(unescaped: table) SET created_at = '2026-01-01T00:00:00Z'::timestamptz + id * interval '1 day',
                    updated_at = '2026-01-01T00:00:00Z'::timestamptz + (7 * id % 5) * interval '1 day'
                """)

            #expect(try await Self.all(api, path + "?sort=newest") == ["SALE", "delta", "Gamma sale", "alpha", "Beta"])
            #expect(try await Self.all(api, path + "?sort=oldest") == ["Beta", "alpha", "Gamma sale", "delta", "SALE"])
            #expect(try await Self.all(api, path + "?sort=name") == ["alpha", "Beta", "delta", "Gamma sale", "SALE"])
            #expect(
                try await Self.all(api, path + "?sort=updated") == ["alpha", "delta", "Beta", "Gamma sale", "SALE"])
            #expect(try await Self.all(api, path + "?search=sAl") == ["SALE", "Gamma sale"])
            #expect(
                try await Self.all(api, path + "?since=2026-01-03T00:00:00Z&until=2026-01-05T00:00:00Z")
                    == ["Gamma sale", "alpha"])
            #expect(try await api.send(.get, path + "?sort=size").code == "invalid-sort")
            #expect(try await api.send(.get, path + "?since=yesterday").code == "invalid-time")
            #expect(try await api.send(.get, path + "?search=%25").page.ids == [])
        }
    }

    @Test func campaignsCarryTheirLastRunAndAreFilteredByState() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns"
            let idle = try await api.campaign(of: app)
            let sent = try await api.campaign(of: app)
            _ = try await api.run(of: sent, app: app, isOver: true)
            let run = try await api.run(of: sent, app: app, isOver: false)
            try await api.pool.execute(
                """
                INSERT INTO message_totals (app_id, message_number, campaign_id, sent_on, dimension, measure, value, shard, count)
                SELECT r.app_id, message_number, campaign_id, (started_at AT TIME ZONE 'UTC')::date, 0, measure, '', 0, 1
                FROM runs r JOIN run_variants ON run_id = r.id CROSS JOIN (VALUES (1), (3)) AS e (measure)
                """)
            try await api.pool.execute("UPDATE campaigns SET state = 'sending' WHERE id = \(sent)::text::bigint")

            let data = try #require(try await api.send(.get, path).json["data"]?.elements)

            #expect(data.compactMap { $0["id"]?.string } == [sent, idle])
            #expect(data[1]["last_run"] == .null)
            let last = try #require(data[0]["last_run"])
            #expect(last["id"] == .string(run) && last["state"] == "sending")
            #expect(last["targeted"] == 4 && last["accepted"] == 2 && last["progress"] == 0.75)
            #expect(last["delivered"] == 1 && last["opened"] == 1)
            #expect(try await api.send(.get, path + "?state=sending").page.ids == [sent])
            #expect(try await api.send(.get, path + "?state=draft").page.ids == [idle])
            #expect(try await api.send(.get, path + "?state=done").code == "invalid-state")
        }
    }

    @Test func runsOfAllCampaignsAreListed() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/runs"
            var ids: [String] = []
            for isOver in [true, false, false] {
                ids.append(try await api.run(of: try await api.campaign(of: app), app: app, isOver: isOver))
            }
            try await api.pool.execute("UPDATE runs SET planned_at = now() WHERE id = \(ids[2])::text::bigint")
            try await api.pool.execute(
                "UPDATE batches SET due_at = now() + interval '1 hour' WHERE run_id = \(ids[2])::text::bigint")
            try await api.pool.execute(
                "UPDATE runs SET started_at = '2020-01-01T00:00:00Z' WHERE id = \(ids[0])::text::bigint")

            #expect(try await api.send(.get, path).page.ids == ids.reversed())
            #expect(try await api.send(.get, path + "?state=sending").page.ids == [ids[1]])
            #expect(try await api.send(.get, path + "?state=waiting").page.ids == [ids[2]])
            #expect(try await api.send(.get, path + "?state=finished").page.ids == [ids[0]])
            #expect(try await api.send(.get, path + "?since=2021-01-01T00:00:00Z").page.ids == [ids[2], ids[1]])
            let first = try await api.send(.get, path + "?limit=2").page
            #expect(first.ids == [ids[2], ids[1]])
            #expect(try await api.send(.get, path + "?limit=2&cursor=\(first.next ?? "")").page.ids == [ids[0]])
            let oldest = try await api.send(.get, path + "?sort=oldest&limit=2").page
            #expect(oldest.ids == [ids[0], ids[1]])
            let rest = path + "?sort=oldest&limit=2&cursor=\(oldest.next ?? "")"
            #expect(try await api.send(.get, rest).page.ids == [ids[2]])
            #expect(try await api.send(.get, path + "?sort=name").code == "invalid-sort")
        }
    }

    @Test func devicesAreSearchedAndFiltered() async throws {
        try await DeviceAPIFixture.run { phone in
            let users: [String?] = ["Ada", "ben", nil]
            for (index, user) in users.enumerated() {
                let member = user.map { #","user_id":"\#($0)""# } ?? ""
                let body = #"{"token":"0\#(index)","environment":"production"\#(member)}"#
                let put = try await phone.send(.put, "/devices/phone-\(index)", body)
                #expect(put.status == 200)
            }
            let deleted = try await phone.send(.delete, "/devices/phone-1")
            #expect(deleted.status == 204)
            func found(_ query: String) async throws -> [String?] {
                let list = try await phone.send(.get, "/devices?\(query)", key: phone.secret)
                return list.json["data"]?.elements?.map { $0["installation"]?.string } ?? []
            }
            #expect(try await found("search=ADA") == ["phone-0"])
            #expect(try await found("search=phone-2") == ["phone-2"])
            #expect(try await found("registered=false") == ["phone-1"])
            #expect(try await found("registered=true") == ["phone-0", "phone-2"])
            #expect(try await found("since=2099-01-01T00:00:00Z") == [])
            #expect(try await found("until=2099-01-01T00:00:00Z").count == 3)

            let segment = #"{"name":"Users","audience":{"include":{"field":"user_id","op":"exists"}}}"#
            let id = try await phone.send(.post, "/segments", segment, key: phone.secret).json["id"]?.string ?? ""
            // Ben's device is retired.
            #expect(try await found("segment=\(id)") == ["phone-0"])
            let file = try await phone.sendBytes(.get, "/devices/export?segment=\(id)")
            #expect(String(decoding: file.bytes, as: UTF8.self).split(separator: "\r\n").count == 2)
            #expect(try await phone.send(.get, "/devices?segment=9", key: phone.secret).status == 404)
        }
    }
}
