import Campaigns
import TestSupport
import Testing

@testable import Application

@Suite struct PasswordHasherTests {
    @Test func passwordMatchesItsHashOnly() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("a bell in the fog")
        #expect(try await hasher.verify("a bell in the fog", against: hash))
        #expect(try await !hasher.verify("a bell in the fob", against: hash))
        #expect(try await !hasher.verify("a bell in the fog", against: nil))
    }

    /// An attacker who measures the time learns nothing about accounts.
    @Test func withoutAHashItTakesAsLong() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("a bell in the fog")
        let clock = ContinuousClock()
        var ratios: [Double] = []
        for _ in 0..<5 {
            let wrong = try await clock.measure { _ = try await hasher.verify("wrong", against: hash) }
            let nobody = try await clock.measure { _ = try await hasher.verify("wrong", against: nil) }
            ratios.append(nobody / wrong)
        }
        #expect((0.5...2).contains(ratios.sorted()[2]), "\(ratios)")
    }

    @Test func tooManyAtOnceAreRefusedAndTheOthersServed() async throws {
        let hasher = PasswordHasher()
        try await TestLoop.run { loop in
            let results = await withTaskGroup(of: Result<Bool, any Error>.self) { group in
                for _ in 0..<50 {
                    group.addTask(executorPreference: loop) {
                        do {
                            return .success(try await hasher.verify("x", against: nil))
                        } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let refused = results.count { if case .failure(Refusal.signInBusy) = $0 { true } else { false } }
            #expect(refused == 50 - PasswordHasher.maximumRunning - PasswordHasher.maximumWaiting)
            #expect(results.count { (try? $0.get()) == false } == 50 - refused)
        }
    }
}
