import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

/// The cost of the kit on the app's main thread. The figures are printed.
@Suite(.serialized) struct SpeedTests {
    @Test func clientStartsInFiveMilliseconds() async throws {
        try await ClientFixture.with { fixture in
            let median = try Self.median(of: 50) { _ = try fixture.client() }
            print("Client.init: \(median * 1_000) ms")
            #expect(median < 0.005)
        }
    }

    @Test func recordTakesAMillisecondWithAFullQueue() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            let push = ClientFixture.push()
            for _ in 0..<1_000 { try client.record(push, .opened) }
            let median = try Self.median(of: 200) { try client.record(push, .opened) }
            print("record: \(median * 1_000) ms")
            #expect(median < 0.001)
        }
    }

    /// In seconds, of this thread's processor time and what the system does for it: other tests use the same cores.
    private static func median(of count: Int, _ body: () throws -> Void) rethrows -> TimeInterval {
        var times: [TimeInterval] = []
        for _ in 0..<count {
            let began = processorTime()
            try body()
            times.append(processorTime() - began)
        }
        return times.sorted()[count / 2]
    }

    private static func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
}
