import Campaigns
import Crypto
import Logging
import Notifications
import Postgres
import Store
import StoreSupport
import Testing

@testable import Application

struct RegistrationAdmissionTests {
    private static func run(
        verifying: Bool, _ body: @escaping @Sendable (RegistrationAdmission, DeviceFixture, String) async throws -> Void
    ) async throws {
        try await DeviceFixture.run { bench in
            let secret = try await bench.stores.identityKeys.create(app: bench.app).secret
            try await bench.pool.execute(
                "UPDATE apps SET identity_verification = \(verifying), new_installations_per_minute = 1")
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let admission = RegistrationAdmission(bench.stores.identityKeys, logger: logger, minimumAge: .zero)
            try await body(admission, bench, secret)
        }
    }

    @Test func userIsAdmittedOnlyWithTheSignatureOfTheServer() async throws {
        try await Self.run(verifying: true) { admission, bench, secret in
            let signature = Hex.encode(HMACKey(Array(secret.utf8)).tag(of: Array("ada".utf8)))
            let admitted = try await admission.admit(user: "ada", signature: signature, from: nil, app: bench.app)
            #expect(admitted.sender == .unverifiedApp)
            for wrong in [nil, "00", String(signature.reversed())] {
                await #expect(throws: Refusal.identityUnverified) {
                    _ = try await admission.admit(user: "ada", signature: wrong, from: nil, app: bench.app)
                }
            }
            let nobody = try await admission.admit(user: nil, signature: nil, from: nil, app: bench.app)
            #expect(nobody.sender == .unverifiedApp)
        }
    }

    @Test func whatIsStoredCountsAgainstTheRightsOfTheNext() async throws {
        try await Self.run(verifying: false) { admission, bench, _ in
            let new = RegistrationStore.Outcome.stored(.init(id: Device.ID(rawValue: 1), isNew: true))
            let first = try await admission.admit(user: "ada", signature: nil, from: nil, app: bench.app)
            #expect(first.sender == .app && first.rights == .all)
            // A server's registrations do not count.
            _ = try admission.conclude(new, of: .server)
            #expect(try admission.conclude(new, of: first).isNew)
            let second = try await admission.admit(user: nil, signature: nil, from: nil, app: bench.app)
            #expect(second.rights == .newToken)
            do {
                _ = try admission.conclude(.limited(lacking: .newInstallation), of: second)
                Issue.record("must be refused")
            } catch let refusal as Refusal {
                guard case .limited(let seconds) = refusal.kind else { throw refusal }
                #expect((1...60).contains(seconds) && refusal.code == "too-many-new-installations")
            }
        }
    }

    @Test func everyOutcomeThatStoresNothingIsThrown() async throws {
        try await Self.run(verifying: false) { admission, _, _ in
            let refusals: [(RegistrationStore.Outcome, Refusal)] = [
                (.noDevice, .notFound(.device)), (.erased, .notFound(.device)),
                (.outdated(current: 3), .versionConflict(current: 3)),
                (.unproven(.personUnproven), .personUnproven), (.refused(.tooManyTags), .tooManyTags),
            ]
            for (outcome, refusal) in refusals {
                #expect(throws: refusal) { try admission.conclude(outcome, of: .server) }
            }
        }
    }
}
