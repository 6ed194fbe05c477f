import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

/// The actions that people take on one run.
@Suite struct RunTransitionRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func runIsPausedResumedAndCancelled(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: false)
            let path = "/v1/apps/\(app)/runs/\(run)"

            for (transition, state) in [("pause", "paused"), ("resume", "sending"), ("pause", "paused")] {
                let answer = try await api.send(.post, "\(path)/\(transition)")
                #expect(answer.status == 200)
                #expect(try answer.json["state"] == .string(state) && answer.json["targeted"] == 4)
                #expect(try await api.send(.get, path).json["state"] == .string(state))
            }
            let twice = try await api.send(.post, path + "/pause")
            #expect(twice.status == 409)
            #expect(twice.code == "transition-not-allowed")
            let message = "A run that is paused can't be paused. Allowed now: resume, cancel."
            #expect(twice.text("detail") == message)
            #expect(try await api.send(.post, path + "/cancel").json["state"] == "cancelled")
            #expect(
                try await api.send(.post, path + "/resume").text("detail")
                    == "A run that is cancelled can't be resumed. It has ended.")
            #expect(try await api.send(.post, path + "/pause", ["why": "x"]).code == "unexpected-body")
            #expect(try await api.send(.post, "/v1/apps/\(app)/runs/999/pause").code == "run-not-found")
            let other = try await api.app("com.example.Other")
            #expect(try await api.send(.post, "/v1/apps/\(other)/runs/\(run)/pause").code == "run-not-found")
        }
    }

    @Test func rateLimitOfASendingRunIsChanged() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let campaign = try await api.campaign(of: app)
            let run = try await api.run(of: campaign, app: app, isOver: false)
            let path = "/v1/apps/\(app)/runs/\(run)"

            let paced = try await api.send(.patch, path, ["pushes_per_second": 7])
            #expect(paced.status == 200)
            #expect(try paced.json["pushes_per_second"] == 7)
            let cases: [(JSON, String)] = [
                ([:], "pushes_per_second: missing"), (["pushes_per_second": 0], "pushes_per_second: out-of-range"),
                (["pushes_per_second": 1_000_001], "pushes_per_second: out-of-range"),
                (["pushes_per_second": "7"], "pushes_per_second: wrong-type"),
            ]
            for (body, problem) in cases {
                let answer = try await api.send(.patch, path, body)
                #expect(answer.status == 422)
                #expect(answer.problems == [problem])
            }
            #expect(try await api.send(.get, path).json["pushes_per_second"] == 7)
            let free = try await api.send(.patch, path, ["pushes_per_second": .null])
            #expect(try free.json["pushes_per_second"] == .null)

            let over = try await api.run(of: campaign, app: app, isOver: true)
            _ = try await api.send(.post, path + "/cancel")
            for run in [run, over] {
                let late = try await api.send(.patch, "/v1/apps/\(app)/runs/\(run)", ["pushes_per_second": 7])
                #expect(late.status == 409)
                #expect(late.code == "run-finished")
            }
        }
    }
}
