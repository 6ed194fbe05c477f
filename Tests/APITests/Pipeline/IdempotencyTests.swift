import Crypto
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

/// A POST that is repeated under its Idempotency-Key.
struct IdempotencyTests {
    private static let name = HTTPField.Name("Idempotency-Key")!
    private static let campaign: JSON = ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]]

    private static func post(
        _ api: APIFixture, _ path: String, _ body: JSON?, key: String = "k-1"
    ) async throws -> Answer {
        try await api.send(.post, path, body, headers: [name: key])
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func repeatedRequestIsAnsweredAsTheFirst(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let root = "/v1/apps/\(app)"
            let bodies: [(String, JSON)] = [
                ("/v1/apps", ["name": "Other", "bundle_id": "com.example.other"]),
                (root + "/campaigns", Self.campaign), (root + "/topics", ["key": "offers", "name": "O"]),
                (root + "/templates", ["name": "T", "content": ["payload": ["aps": ["alert": "Hello"]]]]),
                (root + "/segments", ["name": "S", "audience": ["include": ["tag": "vip"]]]),
                (root + "/categories", ["identifier": "C", "actions": []]),
                (root + "/local-plans", ["name": "P", "notifications": []]),
            ]
            for (path, body) in bodies {
                let first = try await Self.post(api, path, body, key: path)
                let again = try await Self.post(api, path, body, key: path)
                #expect(first.status == 201 && again.status == 201, "\(path)")
                #expect(again.body == first.body, "\(path)")
                #expect(again.headers[.location] == first.headers[.location] && first.headers[.location] != nil)
                #expect(again.headers[.eTag] == first.headers[.eTag])
            }
            let campaigns = try await api.send(.get, root + "/campaigns").page.ids
            #expect(campaigns.count == 1)
            // What people write is not readable in the database.
            let rows = try await api.pool.query("SELECT encode(sealed_body, 'escape') FROM idempotency_keys")
            #expect(rows.count == bodies.count)
            #expect(try rows.allSatisfy { try !($0[0, as: String.self].contains("Hello")) })
        }
    }

    @Test func answersAreDeletedAfterADay() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            for key in ["old", "new"] { #expect(try await Self.post(api, path, Self.campaign, key: key).status == 201) }
            try await api.pool.execute(
                "UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'old'")
            let sealingKeys = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
            #expect(try await IdempotencyStore(pool: api.pool, sealingKeys: sealingKeys).clean() == false)
            let kept = try await api.pool.query("SELECT key FROM idempotency_keys")
            #expect(try kept.map { try $0[0, as: String.self] } == ["new"])
        }
    }

    @Test func concurrentRepeatsWaitForTheFirst() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 { group.addTask { try await Self.post(api, path, Self.campaign).text("id") } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1 && ids.first?.isEmpty == false)
            #expect(try await api.send(.get, path).page.ids == Array(ids))
        }
    }

    @Test func keyOfAnotherRequestIsRefused() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())"
            #expect(try await Self.post(api, root + "/campaigns", Self.campaign).status == 201)
            let other = try await Self.post(
                api, root + "/campaigns", ["name": "B", "payload": ["aps": ["alert": "Hello"]]])
            #expect(other.status == 422 && other.code == "idempotency-key-in-use")
            let elsewhere = try await Self.post(api, root + "/templates", Self.campaign)
            #expect(elsewhere.code == "idempotency-key-in-use")
            // Another app may use the same key.
            let second = try await api.app("com.example.second")
            #expect(try await Self.post(api, "/v1/apps/\(second)/campaigns", Self.campaign).status == 201)
            #expect(
                try await Self.post(api, root + "/campaigns", Self.campaign, key: "").code == "invalid-idempotency-key")
        }
    }

    /// A failed statement inside the transaction is undone alone, and a refused request leaves nothing behind.
    @Test func refusedRequestFreesItsKey() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())"
            let topic: JSON = ["key": "offers", "name": "O"]
            #expect(try await api.send(.post, root + "/topics", topic).status == 201)
            let refused = try await Self.post(api, root + "/topics", topic)
            #expect(refused.status == 409 && refused.code == "topic-key-taken")
            #expect(try await api.send(.delete, root + "/topics/offers").status == 204)
            #expect(try await Self.post(api, root + "/topics", topic).status == 201)
            let count: Int = try await api.pool.query("SELECT count(*) FROM idempotency_keys")[0][0]
            #expect(count == 1)
        }
    }

    @Test func campaignIsStartedOnce() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))/start"
            let first = try await Self.post(api, path, nil)
            let again = try await Self.post(api, path, nil)
            #expect(first.status == 201 && again.status == 201 && again.body == first.body)
            #expect(first.headers[.location]?.hasPrefix("/v1/apps/\(app)/runs/") == true)
            #expect(try await Self.post(api, path, nil, key: "other").status == 409)
        }
    }
}
