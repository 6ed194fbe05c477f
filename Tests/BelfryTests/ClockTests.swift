import Campaigns
import Foundation
import JSON
import Postgres
import Store
import Testing

extension BelfrySuite {
    /// Processes whose clocks are wrong, by faketime: all times are PostgreSQL's.
    @Suite struct ClockTests {
        private static let few = 200

        /// What makes a process's clock show another time. Its monotonic clock stays as it is, as in life.
        private static func clock(off seconds: Int) throws -> [String: String] {
            let parents = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
            let library = try #require(
                parents.map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
                    .first { FileManager.default.fileExists(atPath: $0) })
            return [
                "LD_PRELOAD": library, "FAKETIME": seconds < 0 ? "\(seconds)s" : "+\(seconds)s",
                "DONT_FAKE_MONOTONIC": "1",
                // Shorter than the clocks are apart, and long enough for a busy machine.
                "BELFRY_LEASE_SECONDS": "40", "BELFRY_REQUEST_DEADLINE_SECONDS": "30",
            ]
        }

        @Test func workersWhoseClocksAreAMinuteApartTakeNothingFromEachOther() async throws {
            try await ChaosWorld.run(.leave) { world in
                try await world.withWorker(environment: Self.clock(off: 30)) { _ in
                    try await world.withWorker(environment: Self.clock(off: -30)) { _ in
                        let run = try await world.untilFinished()
                        #expect(run.isBalanced && run.verifiedAt != nil)
                        #expect(run.ledger[.accepted] == ChaosWorld.devices)
                    }
                }
                #expect((1...ChaosWorld.devices).allSatisfy { world.accepted($0) == 1 })
                let attempts = try await world.pool.query("SELECT max(attempt), count(DISTINCT owner) FROM batches")
                #expect(try attempts[0][0, as: Int32.self] == 1)
            }
        }

        @Test(arguments: [30, -30])
        func scheduleAndExpirationAreKeptByTheDatabasesClock(_ seconds: Int) async throws {
            try await ChaosWorld.run(.leave) { world in
                let campaigns = CampaignStore(pool: world.pool)
                _ = try await campaigns.cancel(world.campaign, app: world.app)
                try await world.withWorker(environment: Self.clock(off: seconds)) { _ in
                    let now: Int = try await world.pool.query("SELECT ceil(extract(epoch FROM now()))::bigint")[0][0]
                    var content = CampaignContent(
                        name: "Soon", payload: #"{"aps":{"alert":"Ding"}}"#, unknownPolicy: .leave)
                    content.schedule = .at(now + 3)
                    let few = (1...Self.few).map(String.init)
                    content.audience = Audience(include: .field(.installation, .text(.in(few))))
                    // Half a minute off, all of them would be late.
                    content.expirationSeconds = 25
                    let soon = try await campaigns.create(app: world.app, content)
                    _ = try await campaigns.schedule(soon.id, app: world.app)
                    let run = try await world.untilFinished(soon.id)
                    #expect(run.ledger[.accepted] == Self.few)
                    #expect((0..<15).contains(run.startedAt.secondsSince1970 - Double(now + 3)))
                }
            }
        }
    }
}
