import Foundation
import HTTPTypes
import JSON
import Notifications
import Store
import Testing

@Suite struct LocalPlanRoutesTests {
    private static func notification(_ identifier: String, _ trigger: JSON) -> JSON {
        ["identifier": .string(identifier), "trigger": trigger, "content": ["aps": ["alert": "Drink water"]]]
    }

    private static func interval(_ identifier: String, _ seconds: Int) -> JSON {
        notification(identifier, ["type": "interval", "seconds": .number(JSON.Number(seconds))])
    }

    private static func plan(_ name: String, _ notifications: [JSON]) -> JSON {
        ["name": .string(name), "notifications": .array(notifications)]
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func planIsMadeEditedArchivedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let list = "/v1/apps/\(try await api.app())/local-plans"
            let made = try await api.send(.post, list, Self.plan("Water", [Self.interval("a", 60)]))
            #expect(made.status == 201)
            #expect(try made.json["archived_at"] == .null)
            let path = list + "/" + made.text("id")
            #expect(try await api.send(.get, path).body == made.body)

            #expect(try await api.send(.patch, path, ["name": "Tea"]).status == 428)
            let renamed = try await api.send(.patch, path, ["name": "Tea"], headers: [.ifMatch: "\"1\""])
            #expect(try renamed.json["name"] == "Tea")
            #expect(try renamed.json["notifications"] == made.json["notifications"])
            #expect(try await api.send(.get, list + "/scheduled").json["notifications"] != [])
            let archived = try await api.send(.post, path + "/archive")
            #expect(try archived.json["archived_at"] != .null)
            #expect(try await api.send(.get, list + "/scheduled").json["notifications"] == [])
            let late = try await api.send(.patch, path, ["name": "Milk"], headers: [.ifMatch: "\"2\""])
            #expect(late.code == "version-conflict")
            #expect(try await api.send(.get, list).page.ids == [])
            let copy = try await api.send(.post, path + "/duplicate")
            #expect(copy.status == 201 && copy.text("name") == "Tea (copy)")
            #expect(try copy.json["archived_at"] == .null)

            #expect(try await api.send(.delete, path).status == 204)
            #expect(try await api.send(.get, path).code == "plan-not-found")
        }
    }

    @Test func sixtyFiveNotificationsAreRefused() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/local-plans"
            let many = (0..<65).map { Self.interval("n\($0)", 60 + $0) }

            #expect(try await api.send(.post, list, Self.plan("Water", Array(many.dropLast()))).status == 201)
            let answer = try await api.send(.post, list, Self.plan("Water", many))

            #expect(answer.problems == ["notifications: too-many"])
            #expect(answer.text("detail").contains("must contain at most 64, not 65: a device stores no more per app"))
        }
    }

    @Test func allProblemsAreToldWithTheirPaths() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/local-plans"

            let answer = try await api.send(
                .post, list,
                [
                    "nmae": "Water",
                    "notifications": [
                        Self.notification(
                            "a", ["type": "calendar", "components": ["hour": 24], "time_zone": "Europe/Berlim"])
                    ],
                ])

            let expected = [
                "name: missing", "nmae: unknown-field",
                "notifications[0].trigger.components.hour: out-of-range",
                "notifications[0].trigger.time_zone: unknown-time-zone",
            ]
            #expect(answer.problems.sorted() == expected)
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func phoneGetsTheSoonestOfAllPlansAndHowManyAreLeftOut(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let list = "/v1/apps/\(app)/local-plans"
            let key = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "app", "kind": "publishable"]
            ).text("key")
            let late = try await api.send(
                .post, list, Self.plan("Late", (0..<40).map { Self.interval("n\($0)", 100_000 + $0) })
            ).text("id")
            let soon = try await api.send(
                .post, list, Self.plan("Soon", (0..<40).map { Self.interval("n\($0)", 60 + $0) })
            ).text("id")
            let path = list + "/scheduled?time_zone=Asia/Tokyo&locale=ja"

            let answer = try await api.send(.get, path, key: key)

            let plan = try AppClient.read(AppClient.Plan.self, answer.body)
            let expected = (0..<40).map { "\(soon)/n\($0)" } + (0..<24).map { "\(late)/n\($0)" }
            #expect(plan.notifications.map(\.identifier) == expected)
            #expect(plan.omittedCount == 16)
            #expect(plan.notifications.first?.trigger.seconds == 60)
            #expect(plan.notifications.first?.content.body == "Drink water")
            let tag = try #require(answer.headers[.eTag])
            #expect(try await api.send(.get, path, key: key, headers: [.ifNoneMatch: tag]).status == 304)
            _ = try await api.send(.delete, list + "/" + soon)
            let changed = try await api.send(.get, path, key: key, headers: [.ifNoneMatch: tag])
            #expect(try AppClient.read(AppClient.Plan.self, changed.body).notifications.count == 40)
            #expect(try await api.send(.get, list, key: key).code == "secret-key-required")
        }
    }

    @Test func orderIsThatOfThePhonesZone() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let list = "/v1/apps/\(app)/local-plans"
            // Eight in the morning somewhere else, and half an hour before the same moment on the phone's own clock.
            let zones = ["Pacific/Auckland", "America/New_York"]
            let eight: JSON = [
                "type": "calendar", "components": ["hour": 8], "time_zone": .string(zones[0]), "repeats": true,
            ]
            let own: JSON = ["type": "calendar", "components": ["hour": 7, "minute": 30], "repeats": true]
            _ = try await api.send(
                .post, list, Self.plan("Zones", [Self.notification("eight", eight), Self.notification("own", own)]))

            for zone in zones + ["Mars/Olympus"] {
                let answer = try await api.send(.get, list + "/scheduled?time_zone=\(zone)")
                let names = try AppClient.read(AppClient.Plan.self, answer.body).notifications.map(\.identifier)
                let order = try Self.expected(in: TimeZone(identifier: zone) ?? .gmt)
                #expect(names.map { String($0.split(separator: "/").last ?? "") } == order, "\(zone)")
                let warnings = try answer.json["warnings"]?.elements?.map { $0["code"] }
                #expect(warnings == (zone == "Mars/Olympus" ? ["unknown-time-zone"] : []))
            }
        }
    }

    /// By Foundation's calendar, which agrees where no clock is changed.
    private static func expected(in zone: TimeZone) throws -> [String] {
        func next(_ components: DateComponents, _ zone: TimeZone) throws -> Date {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            return try #require(
                calendar.nextDate(after: Date(), matching: components, matchingPolicy: .nextTime))
        }
        let eight = try next(
            DateComponents(hour: 8, minute: 0, second: 0), try #require(TimeZone(identifier: "Pacific/Auckland")))
        let own = try next(DateComponents(hour: 7, minute: 30, second: 0), zone)
        return eight < own ? ["eight", "own"] : ["own", "eight"]
    }

    @Test func moreThanFiftyPlansAreRefused() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/local-plans"
            for index in 0..<LocalPlanStore.maximumCount {
                #expect(try await api.send(.post, list, Self.plan("Plan \(index)", [])).status == 201)
            }

            let answer = try await api.send(.post, list, Self.plan("One more", []))

            #expect(answer.status == 409)
            #expect(answer.code == "too-many-plans")
            let first = try #require(try await api.send(.get, list).page.ids.first)
            #expect(try await api.send(.post, "\(list)/\(first)/archive").status == 200)
            #expect(try await api.send(.get, list + "?archived=true").page.ids == [first])
            #expect(try await api.send(.post, list, Self.plan("One more", [])).status == 201)
            #expect(try await api.send(.post, "\(list)/\(first)/duplicate").code == "too-many-plans")
            let back = try await api.send(.post, "\(list)/\(first)/unarchive")
            #expect(back.code == "too-many-plans")
        }
    }
}
