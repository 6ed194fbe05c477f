import HTTPTypes
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

@testable import API

@Suite struct SegmentRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func segmentIsMadeReadChangedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())/segments"
            let audience: JSON = [
                "include": ["all": [["tag": "vip"], ["field": "language", "op": "is", "value": "en"]]]
            ]
            let made = try await api.send(.post, path, ["name": "VIP", "audience": audience])
            #expect(made.status == 201 && made.headers[.eTag]?.hasPrefix("\"1-") == true)
            #expect(try made.json["audience"] == audience)
            #expect(made.text("summary") == "tag vip and language is en")

            let one = path + "/\(made.text("id"))"
            #expect(try await api.send(.patch, one, ["name": "V"]).code == "if-match-required")
            let changed = try await api.send(.patch, one, ["name": "V"], headers: [.ifMatch: "\"1\""])
            #expect(changed.status == 200 && changed.headers[.eTag]?.hasPrefix("\"2-") == true)
            #expect(
                try await api.send(.patch, one, ["name": "W"], headers: [.ifMatch: "\"1\""]).code == "version-conflict")
            let read = try await api.send(.get, one)
            #expect(read.text("name") == "V")
            #expect(try read.json["used_by"] == [])

            #expect(try await api.send(.post, one + "/archive").status == 200)
            #expect(try await api.send(.get, path).page.ids == [])
            #expect(try await api.send(.get, path + "?archived=true").page.ids == [made.text("id")])
            #expect(
                try await api.send(.patch, one, ["name": "W"], headers: [.ifMatch: "*"]).code == "segment-archived")
            #expect(try await api.send(.post, one + "/unarchive").status == 200)
            #expect(try await api.send(.delete, one).status == 204)
            #expect(try await api.send(.get, one).code == "segment-not-found")
            #expect(try await api.send(.get, one + "/count").code == "segment-not-found")
        }
    }

    @Test func usesAreShownAndKeepIt() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/segments"
            let inner = try await api.send(.post, path, ["name": "a", "audience": ["include": ["tag": "vip"]]]).text(
                "id")
            let uses: JSON = ["include": ["segment": .string(inner)]]
            let outer = try await api.send(.post, path, ["name": "b", "audience": uses]).text("id")
            #expect(
                try await api.send(.get, path + "/\(inner)").json["used_by"]
                    == [["type": "segment", "id": .string(outer), "name": "b"]])
            #expect(try await api.send(.delete, path + "/\(inner)").code == "segment-in-use")
            let circle = try await api.send(
                .patch, path + "/\(inner)", ["audience": ["include": ["segment": .string(outer)]]],
                headers: [.ifMatch: "*"])
            #expect(circle.status == 422 && circle.problems == ["audience.include.segment: segment-cycle"])
        }
    }

    @Test func invalidSegmentsAreRefusedWithTheirPaths() async throws {
        try await APIFixture.run { api in
            let app = "/v1/apps/\(try await api.app())"
            let refused = try await api.send(
                .post, app + "/segments",
                [
                    "name": "", "audience": ["include": ["any": [["tag": 1], ["field": "locales", "op": "is"]]]],
                    "x": 1,
                ])
            #expect(
                refused.problems == [
                    "name: too-short", "audience.include.any[0].tag: wrong-type",
                    "audience.include.any[1].field: unknown-field", "x: unknown-field",
                ])
            let misplaced = try await api.send(
                .post, app + "/segments",
                ["name": "a", "audience": ["exclude": ["event": "dismissed", "within_days": 7, "action": "x"]]])
            #expect(misplaced.problems == ["audience.exclude.action: not-allowed"])
            let everybody = try await api.send(.post, app + "/segments", ["name": "a", "audience": [:]])
            #expect(everybody.problems == ["audience: audience-unrestricted"])
            #expect(try await api.send(.post, app + "/segments", ["name": "a"]).problems == ["audience: missing"])
            let unknown = try await api.send(
                .post, app + "/audiences/count", ["audience": ["exclude": ["opted_out": "offers"]]])
            #expect(unknown.problems == ["audience.exclude.opted_out: unknown-topic"])
            #expect(
                try await api.send(.post, "/v1/apps/999/audiences/count", ["audience": [:]]).code == "app-not-found")
        }
    }

    @Test func countSaysHowManyAndWho() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await api.pool.insertDevices(
                1...3, of: app,
                [
                    "user_id": "'u-' || n", "authorization_status": "CASE n WHEN 2 THEN 1 ELSE 2 END",
                    "tags": "CASE WHEN n < 3 THEN '{vip}' ELSE '{}' END::text[]",
                ])
            let audience: JSON = ["include": ["tag": "vip"]]
            let counted = try await api.send(.post, "/v1/apps/\(app)/audiences/count", ["audience": audience])
            let json = try counted.json
            #expect(counted.status == 200)
            #expect(json["matches"] == 2 && json["reachable"] == 1 && json["devices_scanned"] == 3)
            #expect(json["is_exact"] == true && json["margin_of_error"] == .null && json["summary"] == "tag vip")
            #expect(json["sample"]?.elements?.map { $0["user_id"] } == ["u-1", "u-2"])

            let path = "/v1/apps/\(app)/segments"
            let segment = try await api.send(.post, path, ["name": "a", "audience": audience]).text("id")
            #expect(try await api.send(.get, path + "/\(segment)/count").json == json)
            let within: JSON = ["include": ["not": ["segment": .string(segment)]]]
            let outside = try await api.send(.post, "/v1/apps/\(app)/audiences/count", ["audience": within])
            #expect(try outside.json["matches"] == 1)
        }
    }

    @Test func segmentIsDuplicated() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/segments"
            let made = try await api.send(.post, path, ["name": "VIP", "audience": ["include": ["tag": "vip"]]])
            let copy = try await api.send(.post, "\(path)/\(made.text("id"))/duplicate", ["name": "Others"])
            #expect(copy.status == 201 && copy.text("name") == "Others")
            #expect(try copy.json["audience"] == made.json["audience"])
            #expect(copy.headers[.location] == "\(path)/\(copy.text("id"))")
        }
    }
}
