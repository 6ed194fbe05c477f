import Campaigns
import JSON
import Notifications
import Testing

@Suite struct AudienceOutcomeTests {
    @Test(arguments: [
        (#"{"outcome":"suppressed","campaign":"7"}"#, "suppressed in campaign 7", ["campaign"]),
        (
            #"{"outcome":"accepted","campaign":"7","run":"12","variant":1,"without":"engaged"}"#,
            "accepted in campaign 7 run 12 variant 1 without engaged",
            ["campaign", "run", "variant", "outcome", "without"]
        ),
        (
            #"{"event":"opened","campaign":"7","run":"12","variant":0,"within_days":3}"#,
            "opened campaign 7 run 12 variant 0 in the last 3 days", ["campaign", "run", "variant"]
        ),
    ])
    func conditionsAreReadWrittenAndSaid(_ text: String, _ summary: String, _ references: [String]) throws {
        let audience = try Audience(json: JSON(parsing: #"{"include":\#(text)}"#))
        #expect(audience.json["include"].map { String(decoding: $0.encoded(), as: UTF8.self) } == text)
        #expect(audience.summary == summary)
        #expect(audience.references.map(\.path) == references.map { "include.\($0)" })
    }

    @Test(arguments: [
        (#"{"outcome":"pending","campaign":"7"}"#, ["include.outcome: unknown-outcome"]),
        (#"{"outcome":"accepted"}"#, ["include.campaign: missing"]),
        (#"{"outcome":"accepted","campaign":"7","variant":1}"#, ["include.run: missing"]),
        (#"{"outcome":"accepted","campaign":"7","run":"1","variant":10}"#, ["include.variant: out-of-range"]),
        (#"{"outcome":"rejected","campaign":"7","without":"opened"}"#, ["include.without: not-allowed"]),
        (#"{"outcome":"accepted","campaign":"7","without":"read"}"#, ["include.without: unknown-event"]),
        (#"{"outcome":"accepted","campaign":"7","within_days":1}"#, ["include.within_days: unknown-field"]),
        (#"{"event":"opened","run":"1","within_days":1}"#, ["include.campaign: missing"]),
    ])
    func invalidConditionsAreRefusedAtTheirPath(_ text: String, _ problems: [String]) throws {
        let error = #expect(throws: Problems.self) {
            try Audience(json: JSON(parsing: #"{"include":\#(text)}"#))
        }
        #expect(error?.problems.map { "\($0.path): \($0.code)" } == problems)
    }
}
