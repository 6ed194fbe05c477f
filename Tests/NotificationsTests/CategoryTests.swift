import JSON
import Notifications
import TestSupport
import Testing

@Suite struct CategoryTests {
    private func problems(_ text: String) throws -> [String] {
        let json = try JSON(parsing: text)
        do throws(Problems) {
            _ = try Category(json: json)
            return []
        } catch {
            return error.problems.map { "\($0.path) \($0.code)" }
        }
    }

    /// In the order in which categories are written, so that the text itself must come back.
    @Test func everyFieldComesBack() throws {
        let text =
            #"{"identifier":"message","actions":[{"identifier":"reply","title":{"default":"Reply","zh-Hant":"回覆"},"#
            + #""options":["authentication_required","destructive","foreground"],"#
            + #""icon":{"system_image_name":"arrowshape.turn.up.left"},"#
            + #""text_input":{"button_title":{"default":"Send"},"placeholder":{"default":"Message","ja":"文"}}},"#
            + #"{"identifier":"like","title":{"default":"Like"},"options":[],"icon":{"template_image_name":"Heart"}}],"#
            + #""intent_identifiers":["INSendMessageIntent"],"hidden_previews_body_placeholder":{"default":"%u new"},"#
            + #""category_summary_format":{"default":"%u more from %@"},"options":["custom_dismiss_action","#
            + #""allow_in_car_play","hidden_previews_show_title","hidden_previews_show_subtitle","allow_announcement"],"#
            + #""content_extension":{"initial_content_size_ratio":0.5,"default_content_hidden":true,"#
            + #""overrides_default_title":true,"user_interaction_enabled":false}}"#

        let category = try Category(json: JSON(parsing: text))

        #expect(String(decoding: category.json.encoded(), as: UTF8.self) == text)
        #expect(category.actions[0].options.rawValue == 7)
        #expect(category.options.rawValue == 31)
        #expect(category.actions[0].textInput?.placeholder?.value(for: try LocaleTag("ja-JP")) == "文")
        #expect(category.contentExtension?.initialContentSizeRatio == 0.5)
    }

    @Test func whatIsLeftOutIsEmpty() throws {
        let json: JSON = ["identifier": "plain", "actions": [["identifier": "a", "title": "A", "icon": .null]]]

        let category = try Category(json: json)

        #expect(category == Category(identifier: "plain", actions: [.init(identifier: "a", title: "A")]))
    }

    /// The categories of the first source document.
    @Test func categoriesOfTheDocumentsAreMade() throws {
        let actions = (1...3).map { number in
            Category.Action(
                identifier: "action\(number)", title: LocalizedText("\(number)"), options: [.destructive, .foreground])
        }
        let input = Category.Action(
            identifier: "input", title: "Input", options: [.authenticationRequired, .destructive, .foreground],
            textInput: .init(buttonTitle: "Send", placeholder: "Text"))

        for category in [
            Category(identifier: "category1", actions: actions, options: .customDismissAction),
            Category(identifier: "category2", actions: [input]),
        ] {
            #expect(try Category(json: category.json) == category)
        }
    }

    @Test(arguments: 0..<4)
    func randomCategoriesComeBackAndReachTheApp(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let category = Category.random(using: &generator)

            #expect(try Category(json: JSON(parsing: category.json.encoded())) == category)
            for tag in [nil, "zh-Hant-HK", "zh-TW", "zh-Hans-CN", "pt-BR", "pt", "fr"] {
                let locale = try tag.map { try LocaleTag($0) }
                let received = try AppCategory(category.appJSON(for: locale))
                #expect(received.category == category.resolved(for: locale))
            }
        }
    }

    @Test func allProblemsComeAtOnceWithTheirPaths() throws {
        let found = try problems(
            #"{"actions":[{"identifier":" a","title":"","options":["foreground","red"],"icon":{},"colour":1},"#
                + #"{"identifier":"com.apple.UNNotificationDefaultActionIdentifier","title":{"zh":"x"},"#
                + #""text_input":{"placeholder":7}},"b",{"identifier":"c","title":{"default":"C","nonsense":"x"},"#
                + #""icon":{"system_image_name":"a","template_image_name":"b"},"options":"foreground"}],"#
                + #""intent_identifiers":[1,"ok"],"options":[3],"hidden_previews_body_placeholder":[],"#
                + #""category_summary_format":{"default":"d","zh-TW":"x","zh_Hant_TW":"y"},"#
                + #""content_extension":{"initial_content_size_ratio":0,"default_content_hidden":1},"x":{}}"#)

        #expect(
            found == [
                "identifier missing", "actions[0].identifier surrounding-whitespace", "actions[0].title empty",
                "actions[0].options[1] unknown-value", "actions[0].icon.system_image_name missing",
                "actions[0].colour unknown-field", "actions[1].identifier reserved",
                "actions[1].title.default missing", "actions[1].text_input.button_title missing",
                "actions[1].text_input.placeholder wrong-type", "actions[2] wrong-type",
                "actions[3].title.nonsense bad-locale", "actions[3].options wrong-type",
                "actions[3].icon.template_image_name duplicate-icon", "intent_identifiers[0] wrong-type",
                "hidden_previews_body_placeholder wrong-type", "category_summary_format.zh_Hant_TW duplicate-locale",
                "options[0] wrong-type", "content_extension.initial_content_size_ratio out-of-range",
                "content_extension.default_content_hidden wrong-type", "x unknown-field",
            ])
    }

    @Test(arguments: ["null", "[]", "\"message\"", "1"])
    func categoryIsAnObject(_ text: String) throws {
        #expect(try problems(text) == [" wrong-type"])
    }

    @Test func actionTwiceInOneCategoryIsRefused() throws {
        let action = #"{"identifier":"a","title":"A"}"#

        #expect(
            try problems(#"{"identifier":"c","actions":[\#(action),null,\#(action)]}"#) == [
                "actions[2].identifier duplicate-action", "actions[1] wrong-type",
            ])
    }

    @Test func limitsHoldToTheByte() throws {
        func category(identifier: String = "c", actions: Int = 0, intents: Int = 0, title: String = "t") -> Category {
            Category(
                identifier: identifier,
                actions: (0..<actions).map { .init(identifier: "\($0)", title: LocalizedText(title)) },
                intentIdentifiers: (0..<intents).map { "\($0)" })
        }
        func codes(_ category: Category) -> [String] {
            do throws(Problems) {
                _ = try Category(json: category.json)
                return []
            } catch {
                return error.problems.map(\.code)
            }
        }
        let long = String(repeating: "é", count: 64)
        let title = String(repeating: "é", count: 500)

        #expect(codes(category(identifier: long, actions: 10, intents: 20, title: title)) == [])
        #expect(codes(category(identifier: long + "e")) == ["too-long"])
        #expect(codes(category(actions: 11)) == ["too-many"])
        #expect(codes(category(intents: 21)) == ["too-many"])
        #expect(codes(category(actions: 1, title: title + "e")) == ["too-long"])
        for bad in ["", "a\nb", "a\u{2028}b", "a\u{0}", "a ", " "] {
            #expect(codes(category(identifier: bad)).count == 1)
        }
    }

    @Test func appGetsIntegersAndNames() throws {
        let category = Category(
            identifier: "c",
            actions: [.init(identifier: "a", title: "A", options: [.authenticationRequired, .foreground])],
            options: [.customDismissAction, .hiddenPreviewsShowTitle])

        let text = String(decoding: category.appJSON(for: nil).encoded(), as: UTF8.self)

        #expect(
            text
                == #"{"identifier":"c","actions":[{"identifier":"a","title":"A","options":5,"#
                + #""option_names":["authentication_required","foreground"]}],"intent_identifiers":[],"options":5,"#
                + #""option_names":["custom_dismiss_action","hidden_previews_show_title"]}"#)
    }

    /// Stored categories and older clients have them.
    @Test func namesOfAppleAreReadAndNotWritten() throws {
        let old =
            #"{"identifier":"c","options":["customDismissAction","allowInCarPlay"],"actions":[{"identifier":"a","#
            + #""title":"A","options":["authenticationRequired"]}]}"#
        let category = try Category(json: JSON(parsing: old))
        #expect(category.options == [.customDismissAction, .allowInCarPlay])
        #expect(category.actions[0].options == [.authenticationRequired])
        #expect(category.json["options"] == ["custom_dismiss_action", "allow_in_car_play"])
        let text = String(decoding: category.json.encoded(), as: UTF8.self)
        #expect(text.contains(#""options":["authentication_required"]"#))
    }
}
