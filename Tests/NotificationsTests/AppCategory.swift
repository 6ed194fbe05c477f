import Foundation
import JSON
import Notifications

/// Decodes the JSON that an app fetches as the app does: with Foundation only, and integers as option sets.
struct AppCategory: Decodable {
    struct Action: Decodable {
        struct Icon: Decodable {
            let templateImageName: String?
            let systemImageName: String?
        }
        struct TextInput: Decodable {
            let buttonTitle: String
            let placeholder: String
        }
        let identifier: String
        let title: String
        let options: Int
        let icon: Icon?
        let textInput: TextInput?
    }

    let identifier: String
    let actions: [Action]
    let intentIdentifiers: [String]
    let hiddenPreviewsBodyPlaceholder: String?
    let categorySummaryFormat: String?
    let options: Int

    init(_ json: JSON) throws {
        self = try Self.decoder.decode(AppCategory.self, from: Data(json.encoded()))
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// Back into our own value, whose texts are those of one language.
    var category: Category {
        Category(
            identifier: identifier, actions: actions.map(\.action), intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder.map { LocalizedText($0) },
            categorySummaryFormat: categorySummaryFormat.map { LocalizedText($0) },
            options: Category.Options(rawValue: options))
    }
}

extension AppCategory.Action {
    fileprivate var action: Category.Action {
        let icon: Category.Action.Icon? =
            icon?.templateImageName.map { .templateImage($0) } ?? icon?.systemImageName.map { .systemImage($0) }
        return Category.Action(
            identifier: identifier, title: LocalizedText(title), options: Category.Action.Options(rawValue: options),
            icon: icon,
            textInput: textInput.map {
                Category.Action.TextInput(
                    buttonTitle: LocalizedText($0.buttonTitle), placeholder: LocalizedText($0.placeholder))
            })
    }
}

extension Category {
    /// The category as a device in one language gets it.
    func resolved(for locale: LocaleTag?) -> Category {
        var category = self
        category.contentExtension = nil
        category.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder?.resolved(for: locale)
        category.categorySummaryFormat = categorySummaryFormat?.resolved(for: locale)
        for index in actions.indices {
            category.actions[index].title = actions[index].title.resolved(for: locale)
            guard let textInput = actions[index].textInput else { continue }
            category.actions[index].textInput = Action.TextInput(
                buttonTitle: textInput.buttonTitle.resolved(for: locale),
                placeholder: textInput.placeholder?.resolved(for: locale) ?? "")
        }
        return category
    }
}

extension LocalizedText {
    fileprivate func resolved(for locale: LocaleTag?) -> LocalizedText {
        LocalizedText(value(for: locale))
    }
}
