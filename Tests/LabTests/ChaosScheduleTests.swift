import APNSSimulator
import JSON
import Testing

@testable import Lab

struct ChaosScheduleTests {
    @Test func sameSeedGivesTheSameSchedule() {
        for seed in UInt64(1)...20 {
            let (one, other) = (ChaosSchedule(seed: seed), ChaosSchedule(seed: seed))
            #expect(one == other && one.text == other.text)
            #expect(one.faults(devices: 200_000) == other.faults(devices: 200_000))
            #expect(one != ChaosSchedule(seed: seed + 1))
            #expect(one.faults(devices: 200_000) != ChaosSchedule(seed: seed + 1).faults(devices: 200_000))
        }
    }

    @Test(arguments: UInt64(1)...50, [false, true])
    func scheduleHasEveryKindOfProcessFaultInOrder(_ seed: UInt64, hasStandby: Bool) {
        let events = ChaosSchedule(seed: seed, hasStandby: hasStandby, isUpgraded: !hasStandby, isTest: hasStandby)
            .events
        #expect(events.map(\.share) == events.map(\.share).sorted())
        #expect(events.allSatisfy { 0..<900 ~= $0.share })
        var counts: [String: Int] = [:]
        for event in events {
            switch event.fault {
            case .kill(let worker), .pause(let worker), .cutSessions(let worker):
                #expect(0..<ChaosSchedule.workers ~= worker)
            case .killDatabase, .failOver, .sayGoodbye, .cutConnections, .upgrade, .decide: break
            }
            counts["\(event.fault)".prefix { $0 != "(" }.description, default: 0] += 1
        }
        var expected = ["kill": 2, "pause": 1, "cutSessions": 2, "sayGoodbye": 1, "cutConnections": 1]
        for fault in hasStandby ? ["failOver", "decide"] : ["killDatabase", "upgrade"] { expected[fault] = 1 }
        #expect(counts == expected)
    }

    @Test func sharesBecomeNumbersOfPushes() {
        let schedule = ChaosSchedule(seed: 7)
        let few = schedule.faults(devices: 1_000).rules
        let many = schedule.faults(devices: 2_000_000).rules
        #expect(few.count == schedule.scheduledFaults.count && many.count == few.count)
        for (scheduled, (small, large)) in zip(schedule.scheduledFaults, zip(few, many)) {
            #expect(small.fault == scheduled.fault && large.fault == scheduled.fault)
            switch (scheduled.moment, small.condition, large.condition) {
            case (.at(let share), .nth(let one), .nth(let other)): #expect(one == share && other == share * 2_000)
            case (.spell(let share, let length), .range(let one), .range(let other)):
                #expect(one == share...share + length && other == share * 2_000...(share + length) * 2_000)
            case (_, let one, let other): #expect(one == other)
            }
        }
    }
}
