import APNS
import APNSSimulator
import Campaigns
import Glibc
import JSON
import Postgres
import Store
import Testing

extension BelfrySuite {
    /// Kill it yourself: nobody is skipped, and what may have gone twice is known and bounded.
    @Suite struct ChaosTests {
        @Test(arguments: [UnknownPolicy.leave, .resend])
        func killedWorkerIsFollowedByAnotherAndNobodyIsSkipped(_ policy: UnknownPolicy) async throws {
            try await ChaosWorld.run(policy) { world in
                try await world.withWorker { worker in
                    await world.apple.record.waitUntilAccepted(4_000)
                    worker.send(SIGKILL)
                    _ = try await worker.ending()
                }
                let inDoubt = try await world.inDoubt()
                #expect(!inDoubt.isEmpty)
                for count in inDoubt { #expect(count <= 2 * PushWindow.maximumCount) }
                #expect(world.apple.record.counts.accepted < ChaosWorld.devices)

                try await world.withWorker { _ in
                    let run = try await world.untilFinished()
                    #expect(run.isBalanced && run.verifiedAt != nil && run.targeted == ChaosWorld.devices)
                }

                let lost = inDoubt.reduce(0, +)
                let deliveries = try await world.deliveries()
                try Self.check(deliveries, policy, world)
                switch policy {
                case .leave: #expect(deliveries.count { $0.reason == "worker lost" } == lost)
                case .resend: #expect(deliveries.count(where: \.isResent) >= lost)
                }
            }
        }

        @Test(arguments: [UnknownPolicy.leave, .resend])
        func stoppedPostgreSQLIsWaitedForAndNobodyIsSkipped(_ policy: UnknownPolicy) async throws {
            // Nobody takes over here, so there is time to come back.
            let patient = ["BELFRY_LEASE_SECONDS": "60", "BELFRY_REQUEST_DEADLINE_SECONDS": "30"]
            try await ChaosWorld.run(policy) { world in
                try await world.withWorker(environment: patient) { _ in
                    try await world.withWorker(environment: patient) { _ in
                        await world.apple.record.waitUntilAccepted(4_000)
                        await world.cluster.stopImmediately()
                        try await world.cluster.restart()
                        let run = try await world.untilFinished()
                        #expect(run.isBalanced && run.verifiedAt != nil && run.targeted == ChaosWorld.devices)
                    }
                }

                let deliveries = try await world.deliveries()
                try Self.check(deliveries, policy, world)
                // The holders live, and store what they hold: nothing becomes unknown by the database's absence.
                #expect(deliveries.count { $0.reason == "worker lost" } == 0)
            }
        }

        /// The ledger against what Apple's side has seen.
        private static func check(_ deliveries: [ChaosWorld.Delivery], _ policy: UnknownPolicy, _ world: ChaosWorld)
            throws
        {
            #expect(Set(deliveries.map(\.number)).count == ChaosWorld.devices)
            var wrong: [ChaosWorld.Delivery] = []
            for delivery in deliveries {
                let accepted = world.accepted(delivery.number)
                let isRight =
                    switch (delivery.kind, delivery.isResent) {
                    case (.accepted, false): accepted == 1
                    case (.accepted, true): policy == .resend && (1...2).contains(accepted)
                    case (.unknown, false): policy == .leave && accepted <= 1
                    case (.unknown, true): policy == .resend && accepted <= 2
                    default: false
                    }
                if !isRight { wrong.append(delivery) }
            }
            #expect(wrong.isEmpty, "\(wrong.count), for example \(wrong.prefix(3))")
        }
    }
}
