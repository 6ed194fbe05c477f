enum SwiftSource: SourceLanguage {
    static func string(_ text: String) -> String {
        SourceLiteral.swift(text)
    }

    static func text(_ text: LocalizedText, key: String) -> String {
        guard !text.variants.isEmpty else { return string(text.standard) }
        return "NSLocalizedString(\(string(key)), value: \(string(text.standard)), comment: \"\")"
    }

    static func list(_ elements: [String], _ indent: String) -> String {
        lines(elements, between: "[", "]", indent)
    }

    static func options(_ names: [String], prefix: String) -> String {
        "[" + names.map { ".\($0)" }.joined(separator: ", ") + "]"
    }

    static func call(_ call: SourceCall, _ indent: String) -> String {
        let arguments = call.arguments.map { "\n\(indent)\(step)\($0.label): \(value($0.value, indent + step))" }
        return "\(call.type)(\(arguments.joined(separator: ",")))"
    }

    static let absent = "nil"
}

enum ObjectiveCSource: SourceLanguage {
    static func string(_ text: String) -> String {
        SourceLiteral.objectiveC(text)
    }

    static func text(_ text: LocalizedText, key: String) -> String {
        guard !text.variants.isEmpty else { return string(text.standard) }
        return "NSLocalizedStringWithDefaultValue("
            + "\(string(key)), nil, NSBundle.mainBundle, \(string(text.standard)), @\"\")"
    }

    static func list(_ elements: [String], _ indent: String) -> String {
        lines(elements, between: "@[", "]", indent)
    }

    static func options(_ names: [String], prefix: String) -> String {
        guard !names.isEmpty else { return "\(prefix)None" }
        return names.map { prefix + capitalized($0) }.joined(separator: " | ")
    }

    static func call(_ call: SourceCall, _ indent: String) -> String {
        let arguments = call.arguments.enumerated().map { index, argument in
            let label = index == 0 ? "\(call.factory)With\(capitalized(argument.label))" : argument.label
            return "\n\(indent)\(step)\(label):\(value(argument.value, indent + step))"
        }
        return "[\(call.type)\(arguments.joined())]"
    }

    static let absent = "nil"

    private static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
