import JSON
import Notifications
import TestSupport

extension Category {
    /// A category whose texts hold what writers get wrong; everything in it is allowed.
    static func random(using generator: inout SeededGenerator) -> Category {
        let actions = (0..<Int.random(in: 0...5, using: &generator)).map { index in
            Action.random(index, using: &generator)
        }
        return Category(
            identifier: name(0, using: &generator), actions: actions,
            intentIdentifiers: (0..<Int.random(in: 0...2, using: &generator)).map { name($0, using: &generator) },
            hiddenPreviewsBodyPlaceholder: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            categorySummaryFormat: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            options: Options(rawValue: Int.random(in: 0..<32, using: &generator)),
            contentExtension: Bool.random(using: &generator)
                ? ContentExtension(
                    initialContentSizeRatio: Double(Int.random(in: 1...40, using: &generator)) / 8,
                    defaultContentHidden: .random(using: &generator), overridesDefaultTitle: .random(using: &generator),
                    userInteractionEnabled: .random(using: &generator)) : nil)
    }

    /// Different for each index.
    fileprivate static func name(_ index: Int, using generator: inout SeededGenerator) -> String {
        let text = JSON.randomText(using: &generator).unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return "\(index)|" + String(String.UnicodeScalarView(text)) + "|"
    }
}

extension Category.Action {
    fileprivate static func random(_ index: Int, using generator: inout SeededGenerator) -> Self {
        let icons: [Icon?] = [nil, .systemImage("heart.fill"), .templateImage("Like \"it\"")]
        return Self(
            identifier: Category.name(index, using: &generator), title: .random(using: &generator),
            options: Options(rawValue: Int.random(in: 0..<8, using: &generator)),
            icon: icons.randomElement(using: &generator)!,
            textInput: Bool.random(using: &generator)
                ? TextInput(
                    buttonTitle: .random(using: &generator),
                    placeholder: Bool.random(using: &generator) ? .random(using: &generator) : nil) : nil)
    }
}

extension LocalizedText {
    fileprivate static func random(using generator: inout SeededGenerator) -> LocalizedText {
        var text = LocalizedText(randomText(using: &generator))
        for tag in ["zh-Hant-HK", "zh-Hant", "zh", "ja", "pt-BR"] where Bool.random(using: &generator) {
            text.variants[(try? LocaleTag(tag))!] = randomText(using: &generator)
        }
        return text
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        String(String.UnicodeScalarView(JSON.randomText(using: &generator).unicodeScalars.filter { $0 != "\0" })) + "."
    }
}
