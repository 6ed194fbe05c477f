import Campaigns
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct TagChangeStoreTests {
    private static let gold = Audience(include: .attribute(AttributePath(names: ["plan"]), .text(.is("gold"))))

    /// Devices numbered from 1 with alert tokens, each of a user of its own; every other one is on the plan "gold".
    private static func addDevices(_ bench: DeviceFixture, _ count: Int) async throws {
        try await bench.pool.insertDevices(
            1...count, of: bench.app,
            [
                "user_id": "'u' || n",
                "attributes": #"CASE WHEN n % 2 = 0 THEN '{"plan":"gold"}' ELSE '{}' END::jsonb"#,
            ])
    }

    private static func create(
        _ bench: DeviceFixture, _ audience: Audience = gold, own: TagEdit = TagEdit(), person: TagEdit = TagEdit()
    ) async throws -> TagChangeRecord {
        try await bench.stores.tagChanges.create(
            app: bench.app, audience, ResolvedAudience(audience, segments: [:]), own: own, person: person)
    }

    private static func finish(_ key: TagChange.Key, _ bench: DeviceFixture) async throws -> Int {
        var steps = 1
        while try await bench.stores.tagChangeSteps.step(key, scanning: 7, changing: 2) == .made { steps += 1 }
        return steps
    }

    private static func installations(_ bench: DeviceFixture, with tag: String) async throws -> [Int] {
        try await bench.pool.query(
            "SELECT installation::integer FROM devices WHERE tags @> ARRAY[\(tag)] ORDER BY 1"
        ).map { Int(try $0[0, as: Int32.self]) }
    }

    @Test func everybodyInTheAudienceGetsTheTagsInSteps() async throws {
        try await DeviceFixture.run { bench in
            try await Self.addDevices(bench, 20)
            try await bench.pool.changeDevices("tags = '{old,x}'", where: "installation IN ('4', '5')")
            try await bench.pool.execute(
                "UPDATE devices SET retired_at = now(), retired_reason = 1 WHERE installation = '6'")
            try await bench.pool.execute("UPDATE devices SET kind = 1 WHERE installation = '8'")
            let change = try await Self.create(bench, own: TagEdit(add: ["vip"], remove: ["old"]))
            #expect(change.state == .running && change.progress == 0)

            #expect(try await bench.stores.tagChangeSteps.step(change.key, scanning: 7, changing: 2) == .made)
            let halfway = try await bench.stores.tagChanges.find(change.id, app: bench.app)
            #expect(halfway.devicesMatched == 2 && halfway.progress > 0 && halfway.progress < 1)
            #expect(halfway.version == change.version)
            // Devices that register meanwhile are outside of it.
            try await bench.pool.insertDevice("22", of: bench.app, ["attributes": #"'{"plan":"gold"}'"#])
            #expect(try await Self.finish(change.key, bench) > 3)

            #expect(try await Self.installations(bench, with: "vip") == [2, 4, 10, 12, 14, 16, 18, 20])
            #expect(try await Self.installations(bench, with: "old") == [5])
            #expect(try await Self.installations(bench, with: "x") == [4, 5])
            let end = try await bench.stores.tagChanges.find(change.id, app: bench.app)
            #expect(end.state == .finished && end.progress == 1 && end.finishedAt != nil && end.version == 2)
            #expect(end.devicesMatched == 8 && end.devicesChanged == 8 && end.peopleChanged == 0 && end.skipped == 0)
            // Once more changes nothing.
            let again = try await Self.create(bench, own: TagEdit(add: ["vip"]))
            _ = try await Self.finish(again.key, bench)
            let second = try await bench.stores.tagChanges.find(again.id, app: bench.app)
            #expect(second.devicesMatched == 9 && second.devicesChanged == 1)
        }
    }

    @Test func tagsOfPeopleHoldOnAllTheirDevices() async throws {
        try await DeviceFixture.run { bench in
            try await Self.addDevices(bench, 6)
            // 1 is another device of u2, whose device 2 is in the audience.
            try await bench.pool.changeDevices("user_id = 'u2', tags = '{own}'", where: "installation = '1'")
            try await bench.pool.changeDevices("user_id = NULL", where: "installation = '6'")
            let change = try await Self.create(bench, person: TagEdit(add: ["vip"]))
            _ = try await Self.finish(change.key, bench)

            #expect(try await Self.installations(bench, with: "vip") == [1, 2, 4])
            #expect(try await Self.installations(bench, with: "own") == [1])
            let end = try await bench.stores.tagChanges.find(change.id, app: bench.app)
            #expect(end.devicesMatched == 3 && end.peopleChanged == 2 && end.devicesChanged == 0)

            let back = try await Self.create(bench, .everybody, person: TagEdit(remove: ["vip"]))
            _ = try await Self.finish(back.key, bench)
            #expect(try await Self.installations(bench, with: "vip") == [])
            #expect(try await Self.installations(bench, with: "own") == [1])
            // Nobody is stored for whom nothing is known.
            #expect(try await bench.pool.query("SELECT count(*) FROM people")[0][0] == 2)
        }
    }

    @Test func whoWouldHaveTooManyTagsIsSkippedAndCounted() async throws {
        try await DeviceFixture.run { bench in
            try await Self.addDevices(bench, 4)
            try await bench.pool.changeDevices(
                "tags = ARRAY(SELECT 't' || n FROM generate_series(1, 100) AS n)", where: "installation = '2'")
            try await bench.pool.execute(
                """
                INSERT INTO people (app_id, user_id, tags)
                SELECT \(bench.app), 'u4', ARRAY(SELECT 't' || n FROM generate_series(1, 100) AS n)
                """)
            let change = try await Self.create(bench, own: TagEdit(add: ["vip"]), person: TagEdit(add: ["gold"]))
            _ = try await Self.finish(change.key, bench)
            #expect(try await Self.installations(bench, with: "vip") == [4])
            #expect(try await Self.installations(bench, with: "gold") == [2])
            let end = try await bench.stores.tagChanges.find(change.id, app: bench.app)
            #expect(end.state == .finished && end.devicesMatched == 2)
            #expect(end.devicesChanged == 1 && end.peopleChanged == 1 && end.skipped == 2)
        }
    }

    @Test func concurrentStepsMakeEachChangeOnce() async throws {
        try await DeviceFixture.run { bench in
            try await Self.addDevices(bench, 60)
            let change = try await Self.create(bench, own: TagEdit(add: ["vip"]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while try await bench.stores.tagChanges.find(change.id, app: bench.app).state == .running {
                            _ = try await bench.stores.tagChangeSteps.step(change.key, scanning: 5, changing: 2)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let end = try await bench.stores.tagChanges.find(change.id, app: bench.app)
            #expect(end.devicesMatched == 30 && end.devicesChanged == 30 && end.version == 2)
            #expect(try await bench.stores.tagChangeSteps.step(change.key) == .skipped)
        }
    }

    @Test func cancelledChangeStaysAsItIs() async throws {
        try await DeviceFixture.run { bench in
            try await Self.addDevices(bench, 20)
            let change = try await Self.create(bench, own: TagEdit(add: ["vip"]))
            let steps = bench.stores.tagChangeSteps
            _ = try await steps.step(change.key, scanning: 20, changing: 3)
            await #expect(throws: Refusal.versionConflict(current: 1)) {
                try await bench.stores.tagChanges.cancel(change.id, app: bench.app, expectedVersion: 7)
            }
            let cancelled = try await bench.stores.tagChanges.cancel(change.id, app: bench.app, expectedVersion: 1)
            #expect(cancelled.state == .cancelled && cancelled.devicesChanged == 3 && cancelled.progress < 1)
            #expect(try await steps.step(change.key) == .skipped)
            #expect(try await Self.installations(bench, with: "vip").count == 3)
            await #expect(throws: Refusal.tagChangeEnded(.cancelled)) {
                try await bench.stores.tagChanges.cancel(change.id, app: bench.app)
            }
        }
    }

    @Test func runningChangesOfAnAppAreLimitedAndEndWithIt() async throws {
        try await DeviceFixture.run { bench in
            for _ in 0..<TagChangeStore.maximumRunning { _ = try await Self.create(bench, own: TagEdit(add: ["a"])) }
            await #expect(throws: Refusal.tooManyTagChanges(limit: TagChangeStore.maximumRunning)) {
                try await Self.create(bench, own: TagEdit(add: ["a"]))
            }
            let list = try await bench.stores.tagChanges.list(app: bench.app, state: .running, before: nil, limit: 20)
            _ = try await Self.finish(list[0].key, bench)
            _ = try await Self.create(bench, own: TagEdit(add: ["a"]))
            try await bench.pool.execute("DELETE FROM apps WHERE id = \(bench.app)")
            #expect(try await bench.stores.tagChangeSteps.running().isEmpty)
            await #expect(throws: Refusal.notFound(.app)) { try await Self.create(bench, own: TagEdit(add: ["a"])) }
        }
    }
}
