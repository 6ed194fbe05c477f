import Campaigns
import EventLoop
import Testing

@testable import Dispatcher

struct PlanningJobsTests {
    private static let now = MonotonicTime(nanoseconds: 1_000_000_000)

    private static func key(_ run: Int64) -> Run.Key { Run.Key(app: App.ID(rawValue: 1), id: Run.ID(rawValue: run)) }

    private static func planning(_ runs: Int64...) -> [PlanningJobs.Job] {
        runs.map { .planning(key($0)) }
    }

    @Test func twoJobsOfEachKindRunAtATime() {
        var jobs = PlanningJobs()
        let finishing = PlanningJobs.Job.finishing(Self.key(9))
        #expect(
            jobs.begin([.starting] + Self.planning(1, 2, 3) + [finishing], at: Self.now)
                == [.starting] + Self.planning(1, 2) + [finishing])
        #expect(jobs.begin([.starting] + Self.planning(1, 2, 3), at: Self.now).isEmpty)
        jobs.succeeded(Self.planning(2)[0], at: Self.now)
        #expect(jobs.begin(Self.planning(1, 2, 3), at: Self.now) == Self.planning(3))
    }

    @Test func runsTakeTurns() {
        var jobs = PlanningJobs()
        var begun: [PlanningJobs.Job] = []
        for second in 1...4 {
            let next = jobs.begin(Self.planning(1, 2, 3, 4), at: Self.now)
            for job in next { jobs.succeeded(job, at: Self.now + .seconds(second)) }
            begun += next
        }
        #expect(begun == Self.planning(1, 2, 3, 4, 1, 2, 3, 4))
    }

    @Test func failedJobWaitsLongerEachTimeAndLetsOthersGoFirst() {
        var jobs = PlanningJobs()
        let job = Self.planning(1)[0]
        var now = Self.now
        var pauses: [Duration] = []
        for _ in 1...4 {
            #expect(jobs.begin([job], at: now) == [job])
            jobs.failed(job, at: now)
            let began = now
            #expect(jobs.begin(Self.planning(1, 2), at: now) == Self.planning(2))
            jobs.succeeded(Self.planning(2)[0], at: now)
            while jobs.begin([job], at: now).isEmpty { now = now + .milliseconds(100) }
            jobs.abandoned(job, at: now)
            pauses.append(now - began)
        }
        for (pause, longest) in zip(pauses, [2, 4, 8, 16]) {
            #expect(pause >= .seconds(longest) / 2 && pause <= .seconds(longest) + .milliseconds(100))
        }
    }

    @Test func jobThatSucceedsIsNotHeldBackAfterwards() {
        var jobs = PlanningJobs()
        let job = Self.planning(1)[0]
        _ = jobs.begin([job], at: Self.now)
        jobs.failed(job, at: Self.now)
        #expect(jobs.begin([job], at: Self.now + .seconds(3)) == [job])
        jobs.succeeded(job, at: Self.now + .seconds(3))
        #expect(jobs.begin([job], at: Self.now + .seconds(3)) == [job])
    }

    @Test func failuresOfRunsThatHaveEndedAreForgotten() {
        var jobs = PlanningJobs()
        let job = Self.planning(1)[0]
        _ = jobs.begin([job], at: Self.now)
        jobs.failed(job, at: Self.now)
        jobs.forget(except: [])
        #expect(jobs.begin([job], at: Self.now) == [job])
    }
}
