import JSON
import Notifications
import Testing

/// Buttons that were typed for one push.
@Suite struct PushButtonTests {
    private static func found(_ payload: String, _ type: PushType = .alert) throws -> [String] {
        PushRules(pushType: type).problems(in: try JSON(parsing: payload)).map {
            "\($0.severity) \($0.path) \($0.code)"
        }
    }

    private static func found(buttons: String) throws -> [String] {
        try found(#"{"aps": {"alert": "Hi", "mutable-content": 1}, "belfry-buttons": \#(buttons)}"#)
    }

    @Test func buttonsOfTheFormThatTheKitReadsHaveNoProblem() throws {
        let buttons = #"""
            [{"id": "remind", "title": "Remind me", "link": "bells://remind"}, {"id": "seats", "title": "{{ word }}",
             "link": "https://example.com/{{ id }}"}, {"id": "any", "title": "Go", "link": "{{ link }}"},
             {"id": "no", "title": "Not now", "destructive": true}]
            """#
        #expect(try Self.found(buttons: buttons) == [])
    }

    @Test(
        arguments: [
            ("[]", "error belfry-buttons button-count"), ("{}", "error belfry-buttons wrong-type"),
            (
                #"[{"id":"a","title":"A"},{"id":"b","title":"B"},{"id":"c","title":"C"},{"id":"d","title":"D"},{"id":"e","title":"E"}]"#,
                "error belfry-buttons button-count"
            ),
            (#"[{"id":"a","title":"A"},{"id":"a","title":"B"}]"#, "error belfry-buttons[1].id duplicate-button"),
            (#"[{"id":"a"}]"#, "error belfry-buttons[0].title missing"),
            (#"[{"id":"a","title":""}]"#, "error belfry-buttons[0].title too-short"),
            (#"[{"id":"a","title":"A","link":"bells"}]"#, "error belfry-buttons[0].link link-without-scheme"),
            (#"[{"id":"a","title":"A","url":"bells:"}]"#, "error belfry-buttons[0].url unknown-field"),
            (
                #"[{"id":"com.apple.UNNotificationDefaultActionIdentifier","title":"A"}]"#,
                "error belfry-buttons[0].id reserved"
            ),
        ]) func wrongButtonsAreRefusedAtTheirPlace(_ buttons: String, _ problem: String) throws
    {
        #expect(try Self.found(buttons: buttons) == [problem])
    }

    @Test func categoryOfTheAppAndAMissingExtensionAreRefused() throws {
        let buttons = #"[{"id": "a", "title": "A"}]"#
        let category = try Self.found(
            #"{"aps": {"alert": "Hi", "mutable-content": 1, "category": "X"}, "belfry-buttons": \#(buttons)}"#)
        #expect(category == ["error aps.category category-and-buttons"])
        let fixed = try Self.found(#"{"aps": {"alert": "Hi"}, "belfry-buttons": \#(buttons)}"#)
        #expect(fixed == ["error aps.mutable-content buttons-need-mutable-content"])
    }
}
