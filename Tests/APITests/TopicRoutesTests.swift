import HTTPTypes
import JSON
import Notifications
import Testing

@testable import API

struct TopicRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func topicIsMadeReadChangedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())/topics"
            let made = try await api.send(.post, path, ["key": "offers", "name": "Offers"])
            #expect(made.status == 201)
            #expect(try made.json["description"] == "")

            let changed = try await api.send(.patch, path + "/offers", ["name": "Bargains", "description": "Cheap"])
            #expect(changed.status == 200)
            let read = try await api.send(.get, path + "/offers")
            #expect(try read.json == changed.json)
            #expect(read.text("name") == "Bargains" && read.text("description") == "Cheap")
            #expect(try await api.send(.delete, path + "/offers").status == 204)
            #expect(try await api.send(.delete, path + "/offers").code == "topic-not-found")
            #expect(try await api.send(.get, path + "/Not%20a%20key").code == "topic-not-found")
        }
    }

    @Test func listIsForAppsTooAndPagesByKey() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/topics"
            for key in ["news", "offers", "alerts"] {
                #expect(try await api.send(.post, path, ["key": .string(key), "name": "x"]).status == 201)
            }
            let made = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "phones", "kind": "publishable"])
            let key = made.text("key")
            func keys(_ answer: Answer) throws -> [JSON?] {
                guard case .array(let data)? = try answer.json["data"] else { return [] }
                return data.map { $0["key"] }
            }
            let first = try await api.send(.get, path + "?limit=2", key: key)
            #expect(try keys(first) == ["alerts", "news"])
            let second = try await api.send(.get, path + "?limit=2&cursor=\(first.text("next_cursor"))", key: key)
            #expect(try keys(second) == ["offers"])
            #expect(try second.json["next_cursor"] == .null)
            #expect(try await api.send(.get, path + "/news", key: key).status == 200)
            #expect(
                try await api.send(.post, path, ["key": "more", "name": "x"], key: key).code == "secret-key-required")
            #expect(try await api.send(.delete, path + "/news", key: key).status == 403)
        }
    }

    @Test func archivedTopicLeavesTheListAndComesBack() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/topics"
            for key in ["news", "offers"] {
                #expect(try await api.send(.post, path, ["key": .string(key), "name": "x"]).status == 201)
            }
            func keys(_ query: String) async throws -> [JSON?] {
                guard case .array(let data)? = try await api.send(.get, path + query).json["data"] else { return [] }
                return data.map { $0["key"] }
            }
            let late = try await api.send(.post, path + "/news/archive", headers: [.ifMatch: "\"7\""])
            #expect(late.code == "version-conflict")
            let archived = try await api.send(.post, path + "/news/archive")
            #expect(archived.status == 200)
            #expect(try archived.json["archived_at"] != .null)
            #expect(try await keys("") == ["offers"])
            #expect(try await keys("?archived=true") == ["news"])
            // It is still there: for campaigns that use it, and its key stays taken.
            #expect(try await api.send(.get, path + "/news").json == archived.json)
            let campaign: JSON = ["name": "c", "payload": ["aps": ["alert": "x"]], "topic": "news"]
            #expect(try await api.send(.post, "/v1/apps/\(app)/campaigns", campaign).status == 201)
            #expect(try await api.send(.post, path, ["key": "news", "name": "y"]).code == "topic-key-taken")
            // Archiving it again keeps the time.
            let again = try await api.send(.post, path + "/news/archive")
            #expect(try again.json["archived_at"] == archived.json["archived_at"])

            let back = try await api.send(.post, path + "/news/unarchive")
            #expect(try back.json["archived_at"] == .null)
            #expect(try await keys("") == ["news", "offers"])
            #expect(try await keys("?archived=true") == [])
            #expect(try await api.send(.post, path + "/none/archive").code == "topic-not-found")
        }
    }

    @Test func textsAreInTheLanguageOfTheRequest() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/topics"
            let german: JSON = ["name": "Angebote", "description": .null]
            let chinese: JSON = ["name": "優惠", "description": "折扣"]
            let made = try await api.send(
                .post, path,
                [
                    "key": "offers", "name": "Offers", "description": "Discounts",
                    "translations": ["de": ["name": "Angebote"], "zh_Hant": chinese],
                ])
            #expect(made.status == 201)
            #expect(try made.json["translations"] == ["de": german, "zh-Hant": chinese])

            func texts(_ locale: String) async throws -> [String] {
                let one = try await api.send(.get, path + "/offers?locale=\(locale)")
                let list = try await api.send(.get, path + "?locale=\(locale)")
                #expect(try list.json["data"]?.elements?.first == one.json)
                #expect(try one.json["translations"] == nil)
                return [one.text("name"), one.text("description")]
            }
            #expect(try await texts("de-AT") == ["Angebote", "Discounts"])
            #expect(try await texts("zh-TW") == ["優惠", "折扣"])
            #expect(try await texts("fr") == ["Offers", "Discounts"])
            #expect(try await api.send(.get, path + "?locale=English%20(UK)").code == "bad-locale")

            let changed = try await api.send(.patch, path + "/offers", ["translations": ["de": german]])
            #expect(try changed.json["translations"] == ["de": german] && changed.text("name") == "Offers")
            let kept = try await api.send(.patch, path + "/offers", ["name": "Deals"])
            #expect(try kept.json["translations"] == ["de": german])
            let refused = try await api.send(
                .patch, path + "/offers",
                ["translations": ["German!": ["name": "x"], "de": ["name": "", "nam": "x"], "fr": "Offres"]])
            #expect(
                Set(refused.problems) == [
                    "translations.German!: bad-locale", "translations.de.name: too-short",
                    "translations.de.nam: unknown-field", "translations.fr: wrong-type",
                ], "\(refused.problems)")
        }
    }

    @Test func invalidTopicsAreRefused() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/topics"
            let refused = try await api.send(.post, path, ["key": "Not good", "name": "", "colour": "red"])
            #expect(refused.problems == ["key: not-a-topic-key", "name: too-short", "colour: unknown-field"])
            #expect(try await api.send(.post, path, ["key": "a", "name": "x"]).status == 201)
            #expect(try await api.send(.post, path, ["key": "a", "name": "x"]).code == "topic-key-taken")
            #expect(try await api.send(.patch, path + "/a", ["key": "b"]).problems == ["key: not-allowed"])
            #expect(try await api.send(.patch, path + "/b", ["name": "x"]).status == 404)
            #expect(try await api.send(.get, "/v1/apps/999/topics").code == "app-not-found")
        }
    }

    @Test func campaignCarriesATopicOfItsApp() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let (topics, campaigns) = ("/v1/apps/\(app)/topics", "/v1/apps/\(app)/campaigns")
            let payload: JSON = ["aps": ["alert": "Hello"]]
            let unknown = try await api.send(.post, campaigns, ["name": "x", "payload": payload, "topic": "offers"])
            #expect(unknown.status == 422 && unknown.code == "unknown-topic" && unknown.text("field") == "topic")
            let odd = try await api.send(.post, campaigns, ["name": "x", "payload": payload, "topic": "No!"])
            #expect(odd.problems == ["topic: not-a-topic-key"])

            #expect(try await api.send(.post, topics, ["key": "offers", "name": "Offers"]).status == 201)
            let made = try await api.send(.post, campaigns, ["name": "x", "payload": payload, "topic": "offers"])
            #expect(made.status == 201 && made.text("topic") == "offers")
            #expect(try await api.send(.delete, topics + "/offers").code == "topic-in-use")
            let path = campaigns + "/\(made.text("id"))"
            let kept = try await api.send(.patch, path, ["name": "y"], headers: [.ifMatch: "*"])
            #expect(kept.text("topic") == "offers")
            let cleared = try await api.send(.patch, path, ["topic": .null], headers: [.ifMatch: "*"])
            #expect(try cleared.json["topic"] == .null)
            #expect(try await api.send(.delete, topics + "/offers").status == 204)
        }
    }
}
