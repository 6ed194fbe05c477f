import Campaigns
import Foundation
import JSON
import Postgres
import Store
import Testing

extension BelfrySuite {
    /// Workers with wrong clocks, set by faketime. Belfry uses PostgreSQL's clock for all times.
    @Suite struct ClockTests {
        private static let few = 200

        /// The environment that shifts a process's wall clock. Its monotonic clock stays correct.
        private static func clock(off seconds: Int) throws -> [String: String] {
            let parents = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
            let library = try #require(
                parents.map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
                    .first { FileManager.default.fileExists(atPath: $0) })
            return [
                "LD_PRELOAD": library, "FAKETIME": seconds < 0 ? "\(seconds)s" : "+\(seconds)s",
                "DONT_FAKE_MONOTONIC": "1",
                // Shorter than the difference of the clocks, and long enough for a busy machine.
                "BELFRY_LEASE_SECONDS": "40", "BELFRY_REQUEST_DEADLINE_SECONDS": "30",
            ]
        }

        @Test func workersWithDifferentClocksKeepTheirLeases() async throws {
            try await ChaosEnvironment.run(.leave) { environment in
                try await environment.withWorker(environment: Self.clock(off: 30)) { _ in
                    try await environment.withWorker(environment: Self.clock(off: -30)) { _ in
                        let run = try await environment.untilFinished()
                        #expect(run.isBalanced && run.verifiedAt != nil)
                        #expect(run.ledger[.accepted] == ChaosEnvironment.devices)
                    }
                }
                #expect((1...ChaosEnvironment.devices).allSatisfy { environment.accepted($0) == 1 })
                let attempts = try await environment.pool.query(
                    "SELECT max(attempt), count(DISTINCT owner) FROM batches")
                #expect(try attempts[0][0, as: Int32.self] == 1)
            }
        }

        @Test(arguments: [30, -30])
        func scheduleAndExpirationUseTheDatabasesClock(_ seconds: Int) async throws {
            try await ChaosEnvironment.run(.leave) { environment in
                let campaigns = CampaignStore(pool: environment.pool)
                _ = try await campaigns.cancel(environment.campaign, app: environment.app)
                try await environment.withWorker(environment: Self.clock(off: seconds)) { _ in
                    let rows = try await environment.pool.query("SELECT ceil(extract(epoch FROM now()))::bigint")
                    let now: Int = try rows[0][0]
                    var content = CampaignContent(
                        name: "Soon", payload: #"{"aps":{"alert":"Ding"}}"#, unknownPolicy: .leave)
                    content.schedule = .at(now + 3)
                    let few = (1...Self.few).map(String.init)
                    content.audience = Audience(include: .field(.installation, .text(.in(few))))
                    // With a clock that is half a minute off, all pushes would have expired.
                    content.expirationSeconds = 25
                    let soon = try await campaigns.create(app: environment.app, content)
                    _ = try await campaigns.schedule(soon.id, app: environment.app)
                    let run = try await environment.untilFinished(soon.id)
                    #expect(run.ledger[.accepted] == Self.few)
                    #expect((0..<15).contains(run.startedAt.secondsSince1970 - Double(now + 3)))
                }
            }
        }
    }
}
