import Administration
import Campaigns
import Foundation
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@Suite struct StatusRoutesTests {
    @Test func statusListsProcessesAndWhatNeedsAPerson() async throws {
        try await APIFixture.run { api in
            let alone = try await api.send(.get, "/v1/status")
            #expect(try alone.status == 200 && alone.json["status"] == "attention")
            let finding = try #require(try alone.json["findings"]?.elements?.first)
            #expect(finding["code"] == "no_process" && finding["message"] == "No process of Belfry runs.")
            #expect(finding["message_localization"]?["key"] == "No process of Belfry runs.")

            let process = ProcessIdentity(
                kind: .serve, name: "web-1", host: "a", version: "1.2", pid: 42, schema: 13)
            try await ProcessStore(pool: api.pool).enter(process, owners: [], age: .zero)

            let answer = try await api.send(.get, "/v1/status")
            #expect(try answer.json["status"] == "ok" && answer.json["findings"]?.elements?.isEmpty == true)
            let listed = try #require(try answer.json["processes"]?.elements?.first)
            #expect(listed["name"] == "web-1" && listed["kind"] == "serve" && listed["state"] == "running")
            #expect(listed["pid"] == 42 && listed["version"] == "1.2" && listed["schema"] == 13)
            #expect(listed["leased_batches"] == 0)
            #expect(try answer.json["backlog"]?["due_batches"] == 0)
        }
    }

    @Test func onlyThoseSeeItWhoMayReadTheAuditLogOfAllApps() async throws {
        try await APIFixture.run { api in
            let app = try #require(App.ID(try await api.app()))
            let everywhere = try await api.browser("a@example.com", [RoleAssignment(.admin)])
            let inOneApp = try await api.browser("b@example.com", [RoleAssignment(.admin, in: app)])
            let developer = try await api.browser("c@example.com", [RoleAssignment(.developer)])
            #expect(try await api.send(.get, "/v1/status", as: everywhere).status == 200)
            #expect(try await api.send(.get, "/v1/status", as: inOneApp).status == 403)
            #expect(try await api.send(.get, "/v1/status", as: developer).status == 403)
        }
    }
}
