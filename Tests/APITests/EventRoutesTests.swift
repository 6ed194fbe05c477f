import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import TestSupport
import Testing

@testable import API

/// Exports of events, and the replies that people typed.
struct EventRoutesTests {
    /// Two devices of ada and ben, and their events of one run: an opening and three replies, each a minute later.
    private static func fill(_ api: APIFixture) async throws -> (app: String, campaign: String) {
        let app = try await api.app()
        let id = try #require(App.ID(app))
        let campaign = try await api.campaign(of: app)
        _ = try await api.run(of: campaign, app: app, isOver: true)
        try await api.pool.insertDevice("phone-1", of: app, ["id": "1", "user_id": "'ada'"])
        try await api.pool.insertDevice("phone-3", of: app, ["id": "3", "user_id": "'ben'"])
        let number: Int64 = try await api.pool.query("SELECT message_number FROM run_variants")[0][0]
        let told: [(Int64, EventKind, EventDetails?)] = [
            (1, .opened, nil), (1, .text, EventDetails(action: "", text: "Yes, gladly")),
            (1, .text, EventDetails(action: "more", text: "=SUM(A1)")),
            (3, .text, EventDetails(action: "", text: "No")),
        ]
        let store = AcknowledgementStore(pool: api.pool)
        for (index, event) in told.enumerated() {
            _ = try await store.store([
                AcknowledgementRequest(
                    app: id,
                    events: [
                        Acknowledgement(
                            index: 0, messageNumber: number, device: Device.ID(rawValue: event.0), kind: event.1,
                            time: .receipt, details: event.2)
                    ])
            ])
            try await api.pool.execute(
                """
                UPDATE events SET received_at = timestamptz '2026-11-22T10:00:00Z' + make_interval(mins => \(Int32(index))),
                    happened_at = timestamptz '2026-11-22T10:00:00Z' + make_interval(mins => \(Int32(index)))
                WHERE received_at > '2026-11-23'
                """)
        }
        return (app, campaign)
    }

    private static func texts(_ answer: Answer) throws -> [String] {
        try #require(try answer.json["data"]?.elements).map { $0["text"]?.string ?? "?" }
    }

    @Test func repliesAreListedNewestFirstAndFound() async throws {
        try await APIFixture.run { api in
            let (app, campaign) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/replies"
            #expect(try Self.texts(try await api.send(.get, path)) == ["No", "=SUM(A1)", "Yes, gladly"])
            #expect(try Self.texts(try await api.send(.get, path + "?search=GLADLY")) == ["Yes, gladly"])
            #expect(try Self.texts(try await api.send(.get, path + "?search=ben")) == ["No"])
            #expect(try Self.texts(try await api.send(.get, path + "?campaigns=\(campaign)")).count == 3)
            #expect(try await api.send(.get, path + "?campaigns=999").code == "campaign-not-found")
            #expect(try Self.texts(try await api.send(.get, path + "?until=2026-11-22T10:02:00Z")) == ["Yes, gladly"])
            for list in ["replies", "replies/export", "events/export"] {
                let root = "/v1/apps/\(app)/\(list)"
                #expect(try await api.send(.get, root + "?run=999").code == "run-not-found", "\(list)")
                let backwards = try await api.send(.get, root + "?since=2026-11-23&until=2026-11-22")
                #expect(backwards.code == "invalid-period", "\(list)")
            }
            let first = try await api.send(.get, path + "?limit=2")
            let cursor = try #require(try first.page.next)
            #expect(try Self.texts(try await api.send(.get, path + "?limit=2&cursor=\(cursor)")) == ["Yes, gladly"])
            let reply = try #require(try first.json["data"]?.elements?.first)
            #expect(reply["user_id"] == "ben" && reply["installation"] == "phone-3" && reply["action"] == .null)
            #expect(reply["campaign_id"] == .string(campaign) && reply["campaign_name"] == "Sale")
        }
    }

    @Test func erasedReplyIsCountedStill() async throws {
        try await APIFixture.run { api in
            let (app, _) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/replies"
            let listed = try await api.send(.get, path).json["data"]?.elements?.dropFirst().first
            let reply = try #require(listed)
            let number = reply["message_number"]?.string ?? ""
            #expect(reply["action"] == "more")
            #expect(try await api.send(.delete, "\(path)/\(number)/1?action=more").status == 204)
            #expect(try await api.send(.delete, "\(path)/\(number)/1?action=more").code == "reply-not-found")
            #expect(try await api.send(.delete, "\(path)/\(number)/99").code == "reply-not-found")
            #expect(try Self.texts(try await api.send(.get, path)) == ["No", "Yes, gladly"])
            let totals = try await api.send(.get, "/v1/apps/\(app)/statistics/totals").json
            #expect(totals["total"]?["replies"] == 3)
            let audited = try await api.pool.query("SELECT before::text FROM audit_log WHERE action LIKE 'replies%'")
            #expect(try audited.count == 1 && audited[0][0, as: String?.self] == nil)
        }
    }

    @Test func eventsAndRepliesAreExported() async throws {
        try await APIFixture.run { api in
            let (app, _) = try await Self.fill(api)
            // That of a test push is in no total: its push has neither a run nor a batch.
            try await api.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at, action)
                SELECT app_id, message_number + 500, 1, 3, '2026-11-22T10:03:00Z', '' FROM run_variants
                """)
            func rows(_ path: String) async throws -> [JSON] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/\(path)")
                #expect(answer.status == 200)
                return try answer.body.split(separator: 0x0A).map { try JSON(parsing: Array($0)) }
            }
            // Each of the two pushes has an implied delivery, too.
            let all = try await rows("events/export?format=ndjson")
            #expect(all.map { $0["kind"] } == ["delivered", "opened", "text", "text", "delivered", "text"])
            #expect(all.map { $0["is_implied"] } == [true, false, false, false, true, false])
            #expect(try await rows("events/export?format=ndjson&kind=opened").count == 1)
            #expect(try await rows("events/export?format=ndjson&since=2026-11-22T10:03:00Z").count == 2)
            let whole = try await api.send(.get, "/v1/apps/\(app)/events/export")
            #expect(whole.headers[try #require(HTTPField.Name("Belfry-Rows"))] == "6")
            let replies = try await rows("replies/export?format=ndjson&search=ada")
            #expect(replies.map { $0["text"] } == ["=SUM(A1)", "Yes, gladly"])
            let csv = try await api.send(.get, "/v1/apps/\(app)/replies/export")
            #expect(String(decoding: csv.body, as: UTF8.self).contains(",'=SUM(A1),"))
        }
    }
}
