import JSON
import Testing

@testable import Campaigns

/// Conditions about custom events: how they are read, written and said.
struct AudienceCustomEventTests {
    private static func read(_ condition: String) throws -> Audience {
        try Audience(json: JSON(parsing: #"{"include":\#(condition)}"#))
    }

    private static func problems(_ condition: String) -> [String] {
        do {
            _ = try read(condition)
            return []
        } catch let error as Problems {
            return error.problems.map { "\($0.path): \($0.code)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test(arguments: [
        (#"{"event_name":"purchase","within_days":30}"#, "did purchase in the last 30 days"),
        (#"{"event_name":"big sale","at_least":2,"within_days":1}"#, "did “big sale” at least 2 times in the last day"),
        (
            #"{"event_name":"purchase","within_days":7,"where":{"plan":"pro","price":{"op":"above","value":10}}}"#,
            "did purchase in the last 7 days where plan is pro and price above 10"
        ),
        (
            #"{"event_name":"purchase","within_days":7,"where":{"gift":true,"code":{"op":"exists"}}}"#,
            "did purchase in the last 7 days where gift is true and code is known"
        ),
    ])
    func conditionsAreReadWrittenAndSaid(_ text: String, _ summary: String) throws {
        let audience = try Self.read(text)
        #expect(audience.json["include"].map { String(decoding: $0.encoded(), as: UTF8.self) } == text)
        #expect(audience.summary == summary)
        #expect(audience.references.map(\.path) == ["include.event_name"])
    }

    @Test(arguments: [
        (#"{"event_name":"purchase"}"#, "include.within_days: missing"),
        (#"{"event_name":"purchase","within_days":0}"#, "include.within_days: out-of-range"),
        (#"{"event_name":"purchase","within_days":366}"#, "include.within_days: out-of-range"),
        (#"{"event_name":"purchase","within_days":1,"at_least":0}"#, "include.at_least: out-of-range"),
        (#"{"event_name":"purchase","within_days":1,"at_least":1001}"#, "include.at_least: out-of-range"),
        (#"{"event_name":7,"within_days":1}"#, "include.event_name: wrong-type"),
        (#"{"event_name":"","within_days":1}"#, "include.event_name: empty"),
        (#"{"event_name":"purchase","within_days":1,"where":[]}"#, "include.where: wrong-type"),
        (#"{"event_name":"purchase","within_days":1,"where":{"a":[1]}}"#, "include.where.a: wrong-type"),
        (#"{"event_name":"purchase","within_days":1,"where":{"a":{"value":1}}}"#, "include.where.a.op: missing"),
        (
            #"{"event_name":"purchase","within_days":1,"where":{"a":{"op":"within_days","value":1}}}"#,
            "include.where.a.op: unknown-op"
        ),
        (
            #"{"event_name":"purchase","within_days":1,"where":{"a":{"op":"is","value":1,"unit":"x"}}}"#,
            "include.where.a.unit: unknown-field"
        ),
        (#"{"event_name":"purchase","within_days":1,"campaign":"1"}"#, "include.campaign: unknown-field"),
        (#"{"event_name":"purchase","within_days":1,"tag":"vip"}"#, "include.tag: multiple-conditions"),
    ])
    func wrongConditionsAreRefusedWithTheirPath(_ text: String, _ problem: String) {
        #expect(Self.problems(text) == [problem])
    }
}
