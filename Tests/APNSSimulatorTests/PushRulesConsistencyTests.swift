import JSON
import Notifications
import Testing

@testable import APNSSimulator

/// The rules for saving and the simulator's checks were written separately: the simulator must not flag a payload that
/// passes the rules.
struct PushRulesConsistencyTests {
    private typealias Members = [(key: String, value: String)]

    /// Members of `aps`, valid and invalid ones, some valid only for some push types.
    private static let offered: Members = [
        ("alert", #""Hi""#), ("alert", #"{"title":"t","body":"b"}"#), ("alert", #"{"title":{"loc-key":"k"}}"#),
        ("alert", #"{"body":"b","sound":"default"}"#), ("alert", #"{"loc-key":"k","loc-args":["a"]}"#),
        ("alert", #"{"body":"b","loc-args":["a"]}"#), ("alert", #"{"title":"","action-loc-key":null}"#),
        ("alert", #"{"body":"b","colour":1}"#), ("badge", "0"), ("badge", "7"), ("badge", "-1"), ("badge", "1.5"),
        ("badge", #""7""#), ("sound", #""default""#), ("sound", #"{"critical":1,"name":"default","volume":0.5}"#),
        ("sound", #"{"name":"a.caf","volume":0.5}"#), ("sound", #"{"critical":1}"#), ("thread-id", #""t""#),
        ("thread-id", "1"), ("thread_id", #""t""#), ("category", #""c""#), ("content-available", "1"),
        ("content-available", "0"), ("content-available", "true"), ("mutable-content", "1"),
        ("target-content-id", #""w""#), ("interruption-level", #""passive""#), ("interruption-level", #""loud""#),
        ("relevance-score", "0.5"), ("relevance-score", "75"), ("filter-criteria", #""f""#),
        ("timestamp", "1800000000"), ("timestamp", "1800000000000"), ("event", #""start""#), ("event", #""update""#),
        ("event", #""end""#), ("event", #""stop""#), ("content-state", "{}"), ("content-state", "[]"),
        ("attributes-type", #""A""#), ("attributes", "{}"), ("stale-date", "1800000000"),
        ("stale-date", "1800000001"), ("dismissal-date", "1"), ("dismissal-date", "1800020000"),
        ("input-push-token", "1"), ("input-push-channel", #""Zm9v""#), ("content-changed", "true"),
        ("content-changed", "false"), ("url-args", #"["a"]"#), ("url-args", #""a""#), ("colour", "1"),
    ]

    /// A push of each kind with nothing wrong.
    private static let whole: [(Notifications.PushType, Members)] = [
        (.alert, [("alert", #""Hi""#)]), (.background, [("content-available", "1")]), (.location, []), (.voip, []),
        (.complication, []), (.fileprovider, []), (.mdm, []), (.pushtotalk, []),
        (.widgets, [("content-changed", "true")]), (.controls, [("content-changed", "true")]),
        (.liveactivity, [("timestamp", "1800000000"), ("event", #""update""#), ("content-state", "{}")]),
        (.liveactivity, [("timestamp", "1800000000"), ("event", #""end""#)]),
        (
            .liveactivity,
            [
                ("timestamp", "1800000000"), ("event", #""start""#), ("content-state", "{}"),
                ("attributes-type", #""A""#), ("attributes", "{}"), ("alert", #"{"title":"t","body":"b"}"#),
            ]
        ),
    ]

    private static let custom: [String] = [
        "", #","x":1"#, #","mdm":"m""#, #","container-identifier":"c""#, #","badge":1"#, #","event":"e""#,
    ]

    /// Codes of notes about valid payloads. An unknown key is not among them: the simulator flags it.
    private static let faultless = [
        "legacy-key", "needs-entitlement", "counts-toward-budget", "not-for-live-activities",
    ]

    @Test(arguments: 0..<8) func payloadsThatPassTheRulesAreNotFlagged(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var right = 0
        var flagged = 0
        for _ in 0..<2_000 {
            let (type, text) = Self.push(using: &generator)
            let flags = try #require(
                Array(text.utf8).withUnsafeBytes { body in
                    APNSSimulator.PushType(rawValue: type.rawValue).flatMap { PayloadCheck(body, type: $0)?.flags }
                })
            if flags != [] { flagged += 1 }
            guard Self.isRight(try JSON(parsing: text), type) else { continue }
            right += 1
            #expect(flags == [], "\(type) \(text)")
        }
        #expect(right > 100 && flagged > 100)
    }

    /// Texts with a few bytes changed. The simulator accepts duplicate keys and escaped lone surrogates.
    @Test(arguments: 0..<8) func bothParsersAcceptTheSameTexts(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("{}[]\",:\\u0dE1-+.tfn \n".utf8)
        var read = 0
        for _ in 0..<2_000 {
            var bytes = Array(Self.push(using: &generator).1.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = alphabet[Int.random(in: alphabet.indices, using: &generator)]
            }
            let isScanned = bytes.withUnsafeBytes { body in
                APNSSimulator.PushType.allCases.allSatisfy { PayloadCheck(body, type: $0) != nil }
            }
            do throws(JSON.SyntaxError) {
                guard case .object = try JSON(parsing: bytes) else { continue }
                read += 1
                #expect(isScanned, "\(String(decoding: bytes, as: UTF8.self))")
            } catch {
                #expect(
                    !isScanned || error.message.description.contains("duplicate")
                        || error.message.description.contains("surrogate"))
            }
        }
        #expect(read > 100)
    }

    private static func push(using generator: inout SeededGenerator) -> (Notifications.PushType, String) {
        let choice = whole[Int.random(in: whole.indices, using: &generator)]
        var members = choice.1
        if !members.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 {
            members.remove(at: .random(in: members.indices, using: &generator))
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let member = offered[Int.random(in: offered.indices, using: &generator)]
            members.removeAll { $0.key == member.key }
            members.append(member)
        }
        let aps = members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return (choice.0, #"{"aps":{\#(aps)}\#(custom[Int.random(in: custom.indices, using: &generator)])}"#)
    }

    private static func isRight(_ json: JSON, _ type: Notifications.PushType) -> Bool {
        do throws(Problems) {
            let problems = try PushRules(pushType: type, messageIDKey: nil).problems(in: Payload(json: json))
            return problems.allSatisfy { $0.severity == .note && faultless.contains($0.code) }
        } catch {
            return false
        }
    }
}
