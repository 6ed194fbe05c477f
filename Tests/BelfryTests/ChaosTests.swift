import APNS
import APNSSimulator
import Campaigns
import Glibc
import JSON
import Postgres
import PrivatePostgres
import Store
import TestSupport
import Testing

extension BelfrySuite {
    /// Faults during a campaign: no recipient is skipped, and duplicates are marked and bounded.
    @Suite struct ChaosTests {
        @Test(arguments: [UnknownPolicy.leave, .resend])
        func anotherWorkerTakesOverFromAKilledOne(_ policy: UnknownPolicy) async throws {
            try await ChaosEnvironment.run(policy) { environment in
                try await environment.withWorker { worker in
                    await environment.apple.record.waitUntilAccepted(4_000)
                    worker.send(SIGKILL)
                    _ = try await worker.ending()
                }
                let ambiguous = try await environment.ambiguous()
                #expect(!ambiguous.isEmpty)
                for count in ambiguous { #expect(count <= 2 * PushWindow.maximumCount) }
                #expect(environment.apple.record.counts.accepted < ChaosEnvironment.devices)

                try await environment.withWorker { _ in
                    let run = try await environment.untilFinished()
                    #expect(run.isBalanced && run.verifiedAt != nil && run.targeted == ChaosEnvironment.devices)
                }

                let lost = ambiguous.reduce(0, +)
                let deliveries = try await environment.deliveries()
                try Self.check(deliveries, policy, environment)
                switch policy {
                case .leave: #expect(deliveries.count { $0.reason == "worker lost" } == lost)
                case .resend: #expect(deliveries.count(where: \.isResent) >= lost)
                }
            }
        }

        @Test(arguments: [UnknownPolicy.leave, .resend])
        func workersWaitForARestartedPostgreSQL(_ policy: UnknownPolicy) async throws {
            // Long leases, so that no worker takes over from another.
            let patient = ["BELFRY_LEASE_SECONDS": "60", "BELFRY_REQUEST_DEADLINE_SECONDS": "30"]
            try await ChaosEnvironment.run(policy) { environment in
                try await environment.withWorker(environment: patient) { _ in
                    try await environment.withWorker(environment: patient) { _ in
                        await environment.apple.record.waitUntilAccepted(4_000)
                        await environment.cluster.stopImmediately()
                        try await environment.cluster.restart()
                        let run = try await environment.untilFinished()
                        #expect(run.isBalanced && run.verifiedAt != nil && run.targeted == ChaosEnvironment.devices)
                    }
                }

                let deliveries = try await environment.deliveries()
                try Self.check(deliveries, policy, environment)
                // The workers store their outcomes after the restart, so nothing becomes unknown.
                #expect(deliveries.count { $0.reason == "worker lost" } == 0)
            }
        }

        /// Compares the ledger with the simulator's record.
        private static func check(
            _ deliveries: [ChaosEnvironment.Delivery], _ policy: UnknownPolicy, _ environment: ChaosEnvironment
        ) throws {
            #expect(Set(deliveries.map(\.number)).count == ChaosEnvironment.devices)
            var wrong: [ChaosEnvironment.Delivery] = []
            for delivery in deliveries {
                let accepted = environment.accepted(delivery.number)
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
