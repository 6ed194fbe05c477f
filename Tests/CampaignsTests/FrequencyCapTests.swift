import JSON
import Notifications
import Testing

@testable import Campaigns

@Suite struct FrequencyCapTests {
    private func cap(_ text: String) throws -> FrequencyCap {
        try FrequencyCap(json: try JSON(parsing: Array(text.utf8)))
    }

    @Test func capsAreWrittenAsRead() throws {
        let text = #"{"count":3,"days":7}"#
        #expect(String(decoding: try cap(text).json.encoded(), as: UTF8.self) == text)
        #expect(try cap(text).summary == "3 pushes in 7 days")
        #expect(try cap(#"{"count":1,"days":1}"#).summary == "1 push in one day")
    }

    @Test(arguments: [
        (#"{"count":0,"days":91}"#, ["count must be from 1 to 100, not 0", "days must be from 1 to 90, not 91"]),
        (
            #"{"count":101,"weeks":1}"#,
            [
                "days is required", "count must be from 1 to 100, not 101",
                "weeks is not a known field",
            ]
        ),
        (
            #"{"count":1.5,"days":"7"}"#,
            [
                "count must be a whole number, not the number 1.5", "days must be a whole number, not the text \"7\"",
            ]
        ),
    ])
    func allProblemsAreReportedTogether(_ text: String, _ wanted: [String]) throws {
        let problems = #expect(throws: Problems.self) { try cap(text) }
        #expect(problems?.problems.map { "\($0.path) \($0.message)" } == wanted)
    }

    @Test func capsOutsideTheRangesAreRejected() {
        #expect(FrequencyCap(count: 100, days: 90) != nil)
        #expect(FrequencyCap(count: 101, days: 1) == nil)
        #expect(FrequencyCap(count: 1, days: 0) == nil)
    }
}
