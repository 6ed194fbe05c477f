import Foundation
import Testing

@testable import BelfryCore

@Suite struct PlanScheduleTests {
    private static var daily: [String: Any] { calendar(repeats: true) }

    private static func calendar(zone: String? = nil, repeats: Bool) -> [String: Any] {
        var members: [String: Any] = ["type": "calendar", "components": ["hour": 9], "repeats": repeats]
        members["time_zone"] = zone
        return members
    }

    private static func interval(_ seconds: Int) -> [String: Any] { ["type": "interval", "seconds": seconds] }

    /// A notification as the server sends it.
    private static func planned(
        _ id: String, _ trigger: [String: Any] = daily, _ body: String = "x", lastDay: String? = nil
    ) -> [String: Any] {
        var members: [String: Any] = ["identifier": id, "trigger": trigger, "content": ["body": body]]
        members["last_day"] = lastDay
        return members
    }

    private static func device(
        _ pending: Set<String> = [], zone: String = "Europe/Berlin", version: String = "1", reserved: Int = 0
    ) -> PlanSchedule.Device {
        PlanSchedule.Device(pending: pending, timeZone: zone, appVersion: version, reserved: reserved)
    }

    private static func list(_ notifications: [String: Any]...) throws -> PlanList {
        try #require(PlanList(JSONValue(any: ["notifications": notifications])))
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
        let triggers = list.notifications.map(\.trigger)
        guard case .interval(60, repeats: true) = triggers[0],
            case .calendar(["hour": 9], timeZone: "Asia/Tokyo", repeats: false) = triggers[1],
            case .region(let shop, repeats: false) = triggers[2], case .appUpdate(5) = triggers[3],
            case .unknown("moon") = triggers[4]
        else {
            Issue.record("\(triggers)")
            return
        }
        #expect(shop.identifier == "shop" && shop.latitude == 1 && shop.longitude == 2 && shop.radius == 100)
        let info = list.notifications[0].content.object?["user_info"]
        #expect(info == .object(["n": .number(1.5), "flag": .bool(true)]))
        // As the kit stores it.
        #expect(try JSONDecoder().decode(PlanList.self, from: JSONEncoder().encode(list)) == list)
        var schedule = PlanSchedule()
        #expect(Self.ids(schedule.update(to: list, on: Self.device())) == ["a", "b", "c"])
    }

    @Test func whatDidNotChangeKeepsRunning() throws {
        var schedule = PlanSchedule()
        _ = schedule.update(to: try Self.list(Self.planned("a"), Self.planned("b")), on: Self.device())
        let changes = schedule.update(
            to: try Self.list(Self.planned("a"), Self.planned("b", Self.daily, "new")),
            on: Self.device(Self.pending("a", "b")))
        #expect(Self.ids(changes) == ["b"] && changes.removed.isEmpty && changes.pending == 2)
    }

    @Test func newVersionOfAPlanLeavesItsUnchangedNotificationsAlone() throws {
        let json = #"{"identifier": "1/a", "trigger": {"type": "interval", "seconds": 60, "repeats": true}, "#
        func list(_ members: String) throws -> PlanList {
            try JSONDecoder().decode(
                PlanList.self, from: Data(#"{"notifications": [\#(json)\#(members)]}"#.utf8))
        }
        var schedule = PlanSchedule()
        _ = schedule.update(to: try list(#""content": {}, "version": 3, "last_day": null}"#), on: Self.device())
        let next = try list(#""content": {}, "version": 4}"#)
        #expect(next.notifications[0].version == 4)
        #expect(schedule.update(to: next, on: Self.device(Self.pending("1/a"))).added.isEmpty)
        let ending = try list(#""content": {}, "version": 5, "last_day": "2199-12-31"}"#)
        #expect(Self.ids(schedule.update(to: ending, on: Self.device(Self.pending("1/a")))) == ["1/a"])
    }

    /// At 22:30 UTC on the first of March it is the second in Berlin.
    @Test(arguments: [
        ("Europe/London", 0, "2026-03-01", true), ("Europe/Berlin", 5_400, "2026-03-01", false),
        ("Europe/Berlin", 5_400, "2026-03-02", true), ("Europe/London", 0, "2026-02-28", false),
        ("Europe/London", 0, "2027-01-01", true),
    ])
    func afterItsLastDayANotificationIsRemoved(
        _ zone: String, _ extra: Double, _ lastDay: String, _ stays: Bool
    ) throws {
        let night = Date(timeIntervalSince1970: 1_772_404_200)  // 2026-03-01 22:30 UTC
        let list = try Self.list(Self.planned("a", lastDay: lastDay))
        var schedule = PlanSchedule()
        _ = schedule.update(
            to: list,
            on: PlanSchedule.Device(
                pending: [], timeZone: zone, appVersion: "1", at: Date(timeIntervalSince1970: 0)))
        let changes = schedule.update(
            to: list,
            on: PlanSchedule.Device(
                pending: Self.pending("a"), timeZone: zone, appVersion: "1", at: night + extra))
        #expect(changes.removed.isEmpty == stays)
    }

    @Test func intervalThatWouldEndAfterTheLastDayIsNotBegunButOneThatRunsGoesOn() throws {
        let noon = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01 12:00 UTC
        let list = try Self.list(Self.planned("a", Self.interval(86_400), lastDay: "2026-03-01"))
        func device(_ pending: Set<String>, _ date: Date) -> PlanSchedule.Device {
            PlanSchedule.Device(pending: pending, timeZone: "UTC", appVersion: "1", at: date)
        }
        var late = PlanSchedule()
        #expect(late.update(to: list, on: device([], noon)).added.isEmpty)
        var early = PlanSchedule()
        #expect(early.update(to: list, on: device([], noon - 86_400)).added.count == 1)
        #expect(early.update(to: list, on: device(Self.pending("a"), noon)).removed.isEmpty)
    }

    @Test func whatThePlanHasNoLongerIsRemovedAndTheAppsOwnIsNot() throws {
        var schedule = PlanSchedule()
        _ = schedule.update(to: try Self.list(Self.planned("a")), on: Self.device())
        let changes = schedule.update(to: try Self.list(), on: Self.device(Self.pending("a").union(["own"])))
        #expect(changes.removed == [PlanSchedule.prefix + "a"] && changes.added.isEmpty)
    }

    @Test(arguments: [(0, 0, 64), (10, 0, 54), (0, 20, 44), (10, 20, 44), (30, 20, 34), (70, 0, 0)])
    func noMoreAreScheduledThanFitBesideTheAppsOwn(_ own: Int, _ reserved: Int, _ places: Int) throws {
        var schedule = PlanSchedule()
        let list = try #require(
            PlanList(JSONValue(any: ["notifications": (0..<80).map { Self.planned("\($0)") }, "omitted_count": 3])))
        let device = Self.device(Set((0..<own).map { "own \($0)" }), reserved: reserved)
        let changes = schedule.update(to: list, on: device)
        #expect(Self.ids(changes) == (0..<places).map(String.init))
        #expect(changes.pending == places && changes.omitted == 80 - places + 3)
    }

    @Test func deviceThatMovesGetsTimesOfItsNewZone() throws {
        var schedule = PlanSchedule()
        let fixed = Self.planned("fixed", Self.calendar(zone: "Asia/Tokyo", repeats: true))
        let list = try Self.list(Self.planned("local"), fixed)
        _ = schedule.update(to: list, on: Self.device())
        let pending = Self.pending("local", "fixed")
        #expect(Self.ids(schedule.update(to: list, on: Self.device(pending, zone: "Asia/Tokyo"))) == ["local"])
        #expect(schedule.update(to: list, on: Self.device(pending, zone: "Asia/Tokyo")).added.isEmpty)
    }

    @Test func whatWasShownOnceIsNotShownAgain() throws {
        var schedule = PlanSchedule()
        let list = try Self.list(Self.planned("once", Self.interval(60)))
        _ = schedule.update(to: list, on: Self.device())
        for _ in 0..<2 { #expect(schedule.update(to: list, on: Self.device()).added.isEmpty) }
    }

    @Test func timeThatTheAppHasRemovedComesBack() throws {
        var schedule = PlanSchedule()
        let list = try Self.list(Self.planned("a", Self.calendar(repeats: false)))
        _ = schedule.update(to: list, on: Self.device())
        #expect(Self.ids(schedule.update(to: list, on: Self.device())) == ["a"])
    }

    @Test func notificationAfterAnUpdateFollowsEachUpdateOnce() throws {
        var schedule = PlanSchedule()
        let list = try Self.list(Self.planned("new", ["type": "app_update", "seconds": 60]))
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
        let list = try Self.list(Self.planned("a"))
        _ = schedule.update(to: list, on: Self.device())
        var stored = try JSONDecoder().decode(PlanSchedule.self, from: JSONEncoder().encode(schedule))
        #expect(stored.update(to: list, on: Self.device(Self.pending("a"))).added.isEmpty)
    }
}
