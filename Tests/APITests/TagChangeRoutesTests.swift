import HTTPTypes
import JSON
import Postgres
import Store
import TestSupport
import Testing

/// Tags for everybody in an audience.
struct TagChangeRoutesTests {
    private static let vip: JSON = ["audience": ["include": ["user_ids": ["ada"]]], "add_tags": ["vip"]]

    @Test(arguments: APIFixture.Transport.allCases)
    func changeIsCreatedMadeFollowedAndListed(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.readyApp()
            try await api.pool.changeDevices("user_id = 'ada', tags = '{new}'")
            let root = "/v1/apps/\(app)"
            let segment = try await api.send(
                .post, root + "/segments", ["name": "New", "audience": ["include": ["tag": "new"]]])
            let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k"]
            let body: JSON = [
                "audience": ["include": ["segment": .string(segment.text("id"))]], "add_tags": ["vip", "b"],
                "remove_tags": ["new"], "person": ["add_tags": ["loyal"]],
            ]
            let made = try await api.send(.post, root + "/tag-changes", body, headers: key)
            #expect(made.status == 201 && made.text("state") == "running")
            #expect(try made.json["add_tags"] == ["b", "vip"] && made.json["progress"] == 0)
            #expect(try made.json["person"] == ["add_tags": ["loyal"], "remove_tags": []])
            let path = try #require(made.headers[.location])
            #expect(try await api.send(.post, root + "/tag-changes", body, headers: key).body == made.body)

            let steps = TagChangeSteps(pool: api.pool)
            for change in try await steps.running() { #expect(try await steps.step(change) == .finished) }

            let end = try await api.send(.get, path)
            #expect(end.text("state") == "finished")
            let counts = try ["progress", "devices_matched", "devices_changed", "people_changed", "skipped"].map {
                try end.json[$0]
            }
            #expect(counts == [1, 1, 1, 1, 0])
            let device = try await api.send(.get, root + "/devices/ready")
            #expect(try device.json["tags"] == ["b", "vip"])
            #expect(try await api.send(.get, root + "/people/ada").json["tags"] == ["loyal"])
            let list = try await api.send(.get, root + "/tag-changes?state=finished")
            #expect(try list.page.ids == [end.text("id")])
            #expect(try await api.send(.get, root + "/tag-changes?state=running").page.ids == [])
            let late = try await api.send(.post, path + "/cancel")
            #expect(late.status == 409 && late.code == "tag-change-ended")
        }
    }

    /// A phone may type é as two characters, and a server as one.
    @Test func tagsAreOneInAllSpellings() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            try await api.pool.changeDevices("user_id = 'ada', tags = ARRAY['\u{E9}t\u{E9}']")
            let root = "/v1/apps/\(app)"
            let body: JSON = [
                "audience": ["include": ["user_ids": ["ada"]]], "remove_tags": ["e\u{301}te\u{301}"],
                "add_tags": ["fore\u{302}t"], "person": ["add_tags": ["cafe\u{301}"]],
            ]
            _ = try await api.send(.post, root + "/tag-changes", body)
            let steps = TagChangeSteps(pool: api.pool)
            for change in try await steps.running() { #expect(try await steps.step(change) == .finished) }

            let tags = try await api.send(.get, root + "/devices/ready").json["tags"]
            #expect(tags?.encoded() == (["for\u{EA}t"] as JSON).encoded())
            let person = try await api.send(.get, root + "/people/ada").json["tags"]
            #expect(person?.encoded() == (["caf\u{E9}"] as JSON).encoded())
            #expect(try await api.send(.get, root + "/devices?tag=fore%CC%82t").page.ids.count == 1)
            #expect(try await api.send(.get, root + "/devices?tag=for%C3%AAt").page.ids.count == 1)
        }
    }

    @Test func namesAreFoundInAllSpellings() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.readyApp())"
            let segment: JSON = ["name": "E\u{301}te\u{301}", "audience": ["include": ["tag": "a"]]]
            _ = try await api.send(.post, root + "/segments", segment)
            for search in ["%C3%A9t%C3%A9", "e%CC%81te%CC%81"] {
                #expect(try await api.send(.get, root + "/segments?search=\(search)").page.ids.count == 1)
            }
        }
    }

    @Test func runningChangeIsCancelled() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.readyApp())/tag-changes"
            let made = try await api.send(.post, path, Self.vip)
            let one = path + "/" + made.text("id")
            let stale = try await api.send(.post, one + "/cancel", headers: [.ifMatch: "\"9\""])
            #expect(stale.status == 412)
            let cancelled = try await api.send(
                .post, one + "/cancel", headers: [.ifMatch: try #require(made.headers[.eTag])])
            #expect(cancelled.status == 200 && cancelled.text("state") == "cancelled")
            #expect(try cancelled.json["finished_at"] != .null)
        }
    }

    @Test(
        arguments: [
            (["add_tags": ["a"]], ["audience: missing"]),
            (["audience": [:]], ["add_tags: missing"]),
            (["audience": [:], "person": ["add_tags": .null]], ["add_tags: missing"]),
            (["audience": [:], "add_tags": ["a"], "remove_tags": ["a"]], ["add_tags: not-allowed"]),
            (["audience": [:], "add_tags": ["a", "a"]], ["add_tags[1]: duplicate"]),
            (["audience": [:], "add_tags": ["", "a\nb"]], ["add_tags[0]: empty", "add_tags[1]: bad-character"]),
            (["audience": [:], "add_tags": "a"], ["add_tags: wrong-type"]),
            (["audience": [:], "person": ["add_tag": ["a"]]], ["person.add_tag: unknown-field"]),
            (
                ["audience": ["include": ["segment": "99"]], "add_tags": ["a"]],
                ["audience.include.segment: unknown-segment"]
            ),
            (["audience": ["include": ["tag": 7]], "add_tags": ["a"]], ["audience.include.tag: wrong-type"]),
        ] as [(JSON, [String])]
    )
    func invalidChangesAreRefusedAndNotStored(_ body: JSON, _ problems: [String]) async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/tag-changes"
            let answer = try await api.send(.post, path, body)
            #expect(answer.status == 422 && answer.problems == problems)
            #expect(try await api.send(.get, path).page.ids == [])
        }
    }

    @Test func changeIsOfItsAppOnly() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let other = try await api.app("com.example.other")
            let id = try await api.send(.post, "/v1/apps/\(app)/tag-changes", Self.vip).text("id")
            for path in ["/v1/apps/\(other)/tag-changes/\(id)", "/v1/apps/\(app)/tag-changes/x"] {
                #expect(try await api.send(.get, path).code == "tag-change-not-found")
            }
            #expect(try await api.send(.get, "/v1/apps/\(other)/tag-changes").page.ids == [])
            #expect(try await api.send(.get, "/v1/apps/999/tag-changes").code == "app-not-found")
        }
    }
}
