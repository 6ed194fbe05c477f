/// The creation of one of Apple's objects, independent of the language: Swift's initialiser and Objective-C's factory
/// method have the same labels.
struct SourceCall {
    let type: String
    /// The prefix of Objective-C's method: `action` for `actionWithIdentifier:`.
    let factory: String
    let arguments: [(label: String, value: SourceValue)]
}

/// The value of an argument.
indirect enum SourceValue {
    case string(String)
    /// In the app's languages; `key` is its key in `Localizable.strings`.
    case text(LocalizedText, key: String)
    case strings([String])
    /// Swift's names of the options, and the prefix of Objective-C's names.
    case options([String], prefix: String)
    case call(SourceCall)
    case calls([SourceCall])
    case absent
}

/// Writes source values in one language. `indent` is that of the line on which the value begins.
protocol SourceLanguage {
    static func string(_ text: String) -> String
    static func text(_ text: LocalizedText, key: String) -> String
    static func list(_ elements: [String], _ indent: String) -> String
    static func options(_ names: [String], prefix: String) -> String
    static func call(_ call: SourceCall, _ indent: String) -> String
    static var absent: String { get }
}

extension SourceLanguage {
    static func value(_ value: SourceValue, _ indent: String) -> String {
        switch value {
        case .string(let text): string(text)
        case .text(let localized, let key): text(localized, key: key)
        case .strings(let texts): list(texts.map(string), indent)
        case .options(let names, let prefix): options(names, prefix: prefix)
        case .call(let inner): call(inner, indent)
        case .calls(let calls): list(calls.map { call($0, indent + step) }, indent)
        case .absent: absent
        }
    }

    /// Elements on separate lines, indented one level more than the brackets.
    static func lines(_ elements: [String], between opening: String, _ closing: String, _ indent: String) -> String {
        guard !elements.isEmpty else { return opening + closing }
        return "\(opening)\n" + elements.map { "\(indent)\(step)\($0),\n" }.joined() + indent + closing
    }

    static var step: String { "    " }
}
