/// Writes texts as literals of the generated languages. No character of a text can end the literal or hide in it:
/// invisible characters and those that change the text direction are escaped.
enum SourceLiteral {
    static func swift(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where hides(scalar): literal += "\\u{\(hexadecimal(scalar.value))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    static func objectiveC(_ text: String) -> String {
        var literal = "@\""
        var isAfterQuestionMark = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            // Two question marks in a row may begin a trigraph (C11 §5.2.1.1).
            case "?" where isAfterQuestionMark: literal += "\\?"
            // C forbids universal names below U+00A0 (C11 §6.4.3). An octal escape has three digits at most, so that
            // digits behind it stay digits.
            case _ where hides(scalar) && scalar.value < 0xA0:
                for byte in String(scalar).utf8 { literal += "\\" + padded(String(byte, radix: 8), to: 3) }
            case _ where hides(scalar): literal += universalName(scalar)
            default: literal.unicodeScalars.append(scalar)
            }
            isAfterQuestionMark = scalar == "?"
        }
        return literal + "\""
    }

    /// For a `.strings` file, whose escapes are four digits of UTF-16 each.
    static func strings(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where hides(scalar):
                for unit in String(scalar).utf16 { literal += "\\U" + padded(hexadecimal(unit), to: 4) }
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// For the text of an XML element. Characters that XML 1.0 §2.2 does not allow become U+FFFD.
    static func xml(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}" where scalar != "\r", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            case _ where hides(scalar): escaped += "&#x\(hexadecimal(scalar.value));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether the character is invisible. The zero-width joiner is not escaped: emoji sequences contain it.
    private static func hides(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: scalar != "\u{200D}"
        default: false
        }
    }

    private static func universalName(_ scalar: Unicode.Scalar) -> String {
        let digits = hexadecimal(scalar.value)
        return digits.utf8.count > 4 ? "\\U\(padded(digits, to: 8))" : "\\u\(padded(digits, to: 4))"
    }

    private static func hexadecimal(_ value: some BinaryInteger) -> String {
        String(value, radix: 16, uppercase: true)
    }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
