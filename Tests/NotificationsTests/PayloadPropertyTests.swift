import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@Suite struct PayloadPropertyTests {
    @Test(arguments: 0..<8)
    func randomPayloadsRoundTrip(_ seed: UInt64) throws {
        var generator = PayloadGenerator(seed: seed)
        for _ in 0..<250 {
            let payload = generator.payload()

            let back = try Payload(json: JSON(parsing: payload.encoded()))

            #expect(back == payload)
            #expect(back.encoded() == payload.encoded())
        }
    }

    /// Fixtures and random payloads with a few values changed, taken out, doubled or moved under other names.
    @Test(arguments: 0..<8)
    func mutatedPayloadsAreReadOrRejectedAtTheRightPath(_ seed: UInt64) throws {
        var payloads = PayloadGenerator(seed: seed)
        var mutator = JSONMutator(generator: SeededGenerator(seed: ~seed))
        let fixtures = try FixtureTests.names.map { name in
            let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
            return try JSON(parsing: Array(Data(contentsOf: folder.appendingPathComponent("\(name).json"))))
        }
        var refused = 0
        for round in 0..<400 {
            var json = round.isMultiple(of: 2) ? payloads.payload().json : fixtures[round / 2 % fixtures.count]
            for _ in 0..<Int.random(in: 1...3, using: &mutator.generator) { json = mutator.mutated(json) }

            do {
                let payload = try Payload(json: json)
                #expect(try JSON(parsing: payload.encoded()) == json)
                expectPaths(of: payload)
            } catch let error as Problems {
                refused += 1
                #expect(!error.problems.isEmpty)
                for problem in error.problems {
                    #expect(!json.values(at: problem.path).isEmpty, "\(problem.path) of \(json)")
                    #expect(problem.severity == .error)
                }
            }
        }
        #expect(refused > 50 && refused < 350)
    }

    /// Every problem leads to a value, to a header, or to where something is missing.
    private func expectPaths(of payload: Payload) {
        let isForAbsent = ["missing", "background-content-available", "nothing-to-show"]
        for type in PushType.allCases {
            let rules = PushRules(pushType: type, priority: .powerFirst, expiration: -1, collapseID: "")
            for problem in rules.problems(in: payload) where !problem.path.hasPrefix("apns-") {
                #expect(
                    isForAbsent.contains(problem.code) || !payload.json.values(at: problem.path).isEmpty,
                    "\(problem.path) \(problem.code)")
                #expect(!problem.message.isEmpty && problem.message.description.utf8.count < 400)
                #expect(problem.code.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 >= UInt8(ascii: "0") })
            }
        }
    }

    @Test(arguments: 0..<4)
    func mutatedBytesNeverCrash(_ seed: UInt64) throws {
        var payloads = PayloadGenerator(seed: seed)
        var generator = SeededGenerator(seed: ~seed)
        var read = 0
        for _ in 0..<500 {
            var bytes = payloads.payload().encoded()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0x20...0x7E, using: &generator)
            }
            guard let json = try? JSON(parsing: bytes), let payload = try? Payload(json: json) else { continue }
            read += 1
            #expect(try Payload(json: JSON(parsing: payload.encoded())) == payload)
        }
        #expect(read > 10)
    }
}
