import Foundation
import Testing

@testable import BelfryCore

@Suite struct PlanScheduleTests {
    private static let daily = PlannedNotification.Trigger.calendar(["hour": 9], timeZone: nil, repeats: true)

    private static func planned(
        _ id: String, _ trigger: PlannedNotification.Trigger = daily, _ body: String = "x"
    ) -> PlannedNotification {
        PlannedNotification(identifier: id, trigger: trigger, content: .object(["body": .string(body)]))
    }

    private static func device(
        _ pending: Set<String> = [], zone: String = "Europe/Berlin", version: String = "1", reserved: Int = 0
    ) -> PlanSchedule.Device {
        PlanSchedule.Device(pending: pending, timeZone: zone, appVersion: version, reserved: reserved)
    }

    private static func list(_ notifications: PlannedNotification..., omitted: Int = 0) -> PlanList {
        PlanList(notifications: notifications, omittedCount: omitted)
    }

    private static func ids(_ changes: PlanSchedule.Changes) -> [String] {
        changes.added.map { String($0.requestIdentifier.dropFirst(PlanSchedule.prefix.count)) }
    }

    private static func pending(_ ids: String...) -> Set<String> { Set(ids.map { PlanSchedule.prefix + $0 }) }

    @Test func answerOfTheServerIsRead() throws {
        let json = """
            {"omitted_count": 2, "warnings": [], "notifications": [
            {"identifier": "a", "trigger": {"type": "interval", "seconds": 60, "repeats": true},
             "content": {"body": "x", "badge": 0, "user_info": {"n": 1.5, "flag": true}}},
            {"identifier": "b", "trigger": {"type": "calendar", "components": {"hour": 9}, "time_zone": "Asia/Tokyo",
             "repeats": false}, "content": {}},
            {"identifier": "c", "trigger": {"type": "region", "identifier": "shop", "latitude": 1, "longitude": 2,
             "radius": 100, "on_entry": true, "on_exit": false, "repeats": false}, "content": {}},
            {"identifier": "d", "trigger": {"type": "app_update", "seconds": 5}, "content": {}},
            {"identifier": "e", "trigger": {"type": "moon"}, "content": {}}]}
            """
        let list = try JSONDecoder().decode(PlanList.self, from: Data(json.utf8))
        #expect(list.omittedCount == 2 && list.notifications.count == 5)
        #expect(list.notifications[0].trigger == .interval(seconds: 60, repeats: true))
        #expect(list.notifications[1].trigger == .calendar(["hour": 9], timeZone: "Asia/Tokyo", repeats: false))
        #expect(list.notifications[4].trigger == .unknown("moon"))
        let info = list.notifications[0].content.object?["user_info"]
        #expect(info == .object(["n": .number(1.5), "flag": .bool(true)]))
        // As the kit stores it.
        #expect(try JSONDecoder().decode(PlanList.self, from: JSONEncoder().encode(list)) == list)
        var schedule = PlanSchedule()
        #expect(Self.ids(schedule.update(to: list, on: Self.device())) == ["a", "b", "c"])
    }

    @Test func whatDidNotChangeKeepsRunning() {
        var schedule = PlanSchedule()
        _ = schedule.update(to: Self.list(Self.planned("a"), Self.planned("b")), on: Self.device())
        let changes = schedule.update(
            to: Self.list(Self.planned("a"), Self.planned("b", Self.daily, "new")),
            on: Self.device(Self.pending("a", "b")))
        #expect(Self.ids(changes) == ["b"] && changes.removed.isEmpty && changes.pending == 2)
    }

    @Test func whatThePlanHasNoLongerIsRemovedAndTheAppsOwnIsNot() {
        var schedule = PlanSchedule()
        _ = schedule.update(to: Self.list(Self.planned("a")), on: Self.device())
        let changes = schedule.update(to: Self.list(), on: Self.device(Self.pending("a").union(["own"])))
        #expect(changes.removed == [PlanSchedule.prefix + "a"] && changes.added.isEmpty)
    }

    @Test(arguments: [(0, 0, 64), (10, 0, 54), (0, 20, 44), (10, 20, 44), (30, 20, 34), (70, 0, 0)])
    func noMoreAreScheduledThanFitBesideTheAppsOwn(_ own: Int, _ reserved: Int, _ places: Int) {
        var schedule = PlanSchedule()
        let list = PlanList(notifications: (0..<80).map { Self.planned("\($0)") }, omittedCount: 3)
        let device = Self.device(Set((0..<own).map { "own \($0)" }), reserved: reserved)
        let changes = schedule.update(to: list, on: device)
        #expect(Self.ids(changes) == (0..<places).map(String.init))
        #expect(changes.pending == places && changes.omitted == 80 - places + 3)
    }

    @Test func deviceThatMovesGetsTimesOfItsNewZone() {
        var schedule = PlanSchedule()
        let fixed = Self.planned("fixed", .calendar(["hour": 9], timeZone: "Asia/Tokyo", repeats: true))
        let list = Self.list(Self.planned("local"), fixed)
        _ = schedule.update(to: list, on: Self.device())
        let pending = Self.pending("local", "fixed")
        #expect(Self.ids(schedule.update(to: list, on: Self.device(pending, zone: "Asia/Tokyo"))) == ["local"])
        #expect(schedule.update(to: list, on: Self.device(pending, zone: "Asia/Tokyo")).added.isEmpty)
    }

    @Test func whatWasShownOnceIsNotShownAgain() {
        var schedule = PlanSchedule()
        let list = Self.list(Self.planned("once", .interval(seconds: 60, repeats: false)))
        _ = schedule.update(to: list, on: Self.device())
        for _ in 0..<2 { #expect(schedule.update(to: list, on: Self.device()).added.isEmpty) }
    }

    @Test func timeThatTheAppHasRemovedComesBack() {
        var schedule = PlanSchedule()
        let list = Self.list(Self.planned("a", .calendar(["hour": 9], timeZone: nil, repeats: false)))
        _ = schedule.update(to: list, on: Self.device())
        #expect(Self.ids(schedule.update(to: list, on: Self.device())) == ["a"])
    }

    @Test func notificationAfterAnUpdateFollowsEachUpdateOnce() {
        var schedule = PlanSchedule()
        let list = Self.list(Self.planned("new", .appUpdate(seconds: 60)))
        // A new installation is no update.
        #expect(schedule.update(to: list, on: Self.device()).added.isEmpty)
        #expect(Self.ids(schedule.update(to: list, on: Self.device(version: "2"))) == ["new"])
        #expect(schedule.update(to: list, on: Self.device(Self.pending("new"), version: "2")).added.isEmpty)
        // It was shown.
        #expect(schedule.update(to: list, on: Self.device(version: "2")).added.isEmpty)
        #expect(Self.ids(schedule.update(to: list, on: Self.device(version: "3"))) == ["new"])
    }

    @Test func scheduleSurvivesALaunch() throws {
        var schedule = PlanSchedule()
        let list = Self.list(Self.planned("a"))
        _ = schedule.update(to: list, on: Self.device())
        var stored = try JSONDecoder().decode(PlanSchedule.self, from: JSONEncoder().encode(schedule))
        #expect(stored.update(to: list, on: Self.device(Self.pending("a"))).added.isEmpty)
    }
}
