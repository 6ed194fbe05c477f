import HTTPTypes
import JSON
import Testing

@testable import API

struct CursorTests {
    /// A cursor is a position in one list. In another one it would skip entries without a word.
    @Test func cursorOfAnotherListOrOfOtherFiltersIsRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            for name in ["One", "Two", "Three"] {
                let body: JSON = ["name": .string(name), "payload": ["aps": ["alert": "Ding"]]]
                #expect(try await api.send(.post, "/v1/apps/\(app)/campaigns", body).status == 201)
                let segment: JSON = ["name": .string(name), "audience": ["include": ["tag": "vip"]]]
                #expect(try await api.send(.post, "/v1/apps/\(app)/segments", segment).status == 201)
            }
            let list = "/v1/apps/\(app)/campaigns?limit=1"
            let cursor = try #require(try await api.send(.get, list).json["next_cursor"]?.string)

            #expect(try await api.send(.get, "\(list)&cursor=\(cursor)").status == 200)
            // The size of a page may change from one to the next.
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns?limit=2&cursor=\(cursor)").status == 200)
            for other in [
                "/v1/apps/\(app)/segments?limit=1", "\(list)&search=T", "\(list)&sort=name", "\(list)&archived=true",
            ] {
                let answer = try await api.send(.get, "\(other)&cursor=\(cursor)")
                #expect(answer.status == 400 && answer.code == "invalid-cursor", "\(other)")
            }
        }
    }
}
