import Foundation
import JSON
import TestSupport
import Testing

@Suite struct JSONFuzzTests {
    @Test(arguments: 0..<8)
    func randomValuesRoundTrip(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let json = JSON.random(depth: 5, using: &generator)
            let bytes = json.encoded()

            let back = try JSON(parsing: bytes)

            #expect(back == json)
            #expect(back.encoded() == bytes)
            _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
    }

    @Test(arguments: 0..<4)
    func truncatedObjectsAreRejected(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = JSON.object([.init("k", .random(depth: 4, using: &generator)), .init("é", "\u{1F600}\n")]).encoded()

        for length in 0..<bytes.count {
            let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: Array(bytes.prefix(length))) }
            #expect((0...length).contains(error?.offset ?? -1))
        }
    }

    /// Random bytes, and valid texts with a few bytes changed: whatever is accepted is accepted by Foundation too and
    /// says the same after a round trip.
    @Test(arguments: 0..<8)
    func acceptedTextsAreJSON(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("{}[]\",:\\u0d8e1-+.tfn \n\u{E9}".utf8)
        for round in 0..<2000 {
            var bytes: [UInt8]
            if round.isMultiple(of: 2) {
                bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator)!
                }
            } else {
                bytes = JSON.random(depth: 3, using: &generator).encoded()
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }

            guard let json = try? JSON(parsing: bytes) else { continue }

            #expect(try JSON(parsing: json.encoded()) == json)
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            #expect(isJSON || holdsHugeNumber(json), "\(bytes)")
        }
    }

    /// Foundation rejects a number beyond the range of a double; this parser preserves its text.
    private func holdsHugeNumber(_ json: JSON) -> Bool {
        switch json {
        case .number(let number): number.double == nil
        case .array(let elements): elements.contains(where: holdsHugeNumber)
        case .object(let members): members.contains { holdsHugeNumber($0.value) }
        case .null, .bool, .string: false
        }
    }
}
