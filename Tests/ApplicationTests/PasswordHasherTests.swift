import Administration
import Campaigns
import TestSupport
import Testing

@testable import Application

@Suite struct PasswordHasherTests {
    @Test func passwordMatchesItsHashOnly() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("a bell in the fog")
        #expect(try await hasher.verify("a bell in the fog", against: hash, isKnown: false))
        #expect(try await !hasher.verify("a bell in the fob", against: hash, isKnown: false))
        #expect(try await !hasher.verify("a bell in the fog", against: nil, isKnown: false))
    }

    /// An attacker who measures the time learns nothing about accounts.
    @Test func withoutAHashItTakesAsLong() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("a bell in the fog")
        let clock = ContinuousClock()
        var ratios: [Double] = []
        for _ in 0..<5 {
            let wrong = try await clock.measure { _ = try await hasher.verify("wrong", against: hash, isKnown: false) }
            let nobody = try await clock.measure { _ = try await hasher.verify("wrong", against: nil, isKnown: false) }
            ratios.append(nobody / wrong)
        }
        #expect((0.5...2).contains(ratios.sorted()[2]), "\(ratios)")
    }

    /// Strangers fill their queue; somebody who signed in from there before is served, and first.
    @Test func knownPersonIsServedWhileStrangersFillTheQueue() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("a bell in the fog")
        try await TestLoop.run { loop in
            let answers = await withTaskGroup(of: (isKnown: Bool, isRight: Bool?).self) { group in
                for _ in 0..<50 {
                    group.addTask(executorPreference: loop) {
                        (false, try? await hasher.verify("x", against: nil, isKnown: false))
                    }
                }
                group.addTask(executorPreference: loop) {
                    (true, try? await hasher.verify("a bell in the fog", against: hash, isKnown: true))
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.first { $0.isKnown }?.isRight == true)
            let refused = answers.count { $0.isRight == nil }
            #expect(refused == 50 - PasswordHasher.maximumRunning - PasswordHasher.maximumWaiting)
            // Behind those who were refused at once and the two that were being computed.
            let position = answers.firstIndex { $0.isKnown } ?? answers.count
            #expect(position <= refused + 2 * PasswordHasher.maximumRunning)
        }
    }

    @Test func tooManyAtOnceAreRefusedAndTheOthersServed() async throws {
        let hasher = PasswordHasher()
        try await TestLoop.run { loop in
            let results = await withTaskGroup(of: Result<Bool, any Error>.self) { group in
                for _ in 0..<50 {
                    group.addTask(executorPreference: loop) {
                        do {
                            return .success(try await hasher.verify("x", against: nil, isKnown: false))
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
