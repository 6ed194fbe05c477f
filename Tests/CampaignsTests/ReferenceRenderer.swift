import Foundation
import JSON
import Notifications

@testable import Campaigns

/// The same as the composer, slow and plain: Liquid is rendered to a `String`, put into the tree of JSON, and the tree is
/// encoded. Shares with it the parser and the names of days and months, and nothing else.
struct ReferenceRenderer {
    let content: TemplateContent
    let context: ContentContext
    let person: RecipientProfile
    let now: Int

    private struct Missing: Error {
        let field: Field
    }

    private struct Unusable: Error {
        let field: Field
    }

    /// The value of a placeholder or operand while it goes through filters.
    private enum Value {
        case none
        case json(JSON)
    }

    func compose() throws -> Composed {
        let variant = content.variants(with: context)[chosen]
        do {
            guard case .object(let members) = try filled(variant.payload, at: "") else { throw NoText() }
            let id = JSON.Member(context.messageIDKey, .string(sampleID.text))
            let bytes = JSON.object(members + [id]).encoded()
            return bytes.count > content.pushType.maximumPayloadSize ? .tooLong : .bytes(bytes)
        } catch let missing as Missing {
            return .missing(missing.field)
        } catch let unusable as Unusable {
            return .unusable(unusable.field)
        }
    }

    private var locale: String { person.locale.flatMap { $0.isEmpty ? nil : $0 } ?? context.defaultLocale }

    private var chosen: Int {
        var parts = locale.lowercased().replacingOccurrences(of: "_", with: "-").components(separatedBy: "-")
        while !parts.isEmpty {
            let name = parts.joined(separator: "-")
            if let place = content.variants.firstIndex(where: { $0.locale.lowercased() == name }) { return place + 1 }
            parts.removeLast()
        }
        return 0
    }

    private func filled(_ json: JSON, at path: String) throws -> JSON {
        switch json {
        case .null, .bool, .number: return json
        case .array(let elements):
            return .array(try elements.enumerated().map { try filled($0.element, at: "\(path)[\($0.offset)]") })
        case .object(let members):
            return .object(
                try members.map { JSON.Member($0.key, try filled($0.value, at: path + "." + $0.key)) })
        case .string(let text):
            let template = try LiquidTemplate(parsing: text)
            guard let output = template.onlyOutput, output.isNumber else {
                return .string(try render(template.nodes))
            }
            let digits = try self.text(of: output)
            guard digits.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil,
                let value = Decimal(string: digits),
                path != ".aps.badge" || (value >= 0 && value == Decimal(Int(truncating: value as NSNumber)))
            else { throw Unusable(field: field(of: output)) }
            return try JSON(parsing: "\(value)")
        }
    }

    private func render(_ nodes: [LiquidNode]) throws -> String {
        try nodes.map { node in
            switch node {
            case .text(let text): text
            case .output(let output): try self.text(of: output)
            case .branches(let branches, let otherwise):
                try render(branches.first { holds($0.condition) }?.nodes ?? otherwise)
            }
        }.joined()
    }

    // MARK: Holes

    private func field(of output: LiquidOutput) -> Field {
        guard case .device(.language) = output.fields[0] else { return output.fields[0] }
        return .device(.locale)
    }

    private func text(of output: LiquidOutput) throws -> String {
        var text = string(value(output.value), isLiteral: !output.value.isField)
        var isNo = isNo(value(output.value))
        var last = output.value
        for filter in output.filters {
            if case .default(let operand) = filter {
                guard text == nil || isNo else { continue }
                text = string(value(operand), isLiteral: !operand.isField)
                isNo = self.isNo(value(operand))
                last = operand
            } else if let found = text {
                let applied = apply(filter, found)
                if applied == nil, last.isField { throw Unusable(field: field(of: output)) }
                text = applied ?? found
                isNo = false
            }
        }
        guard let text else {
            switch value(last) {
            case .json(.array(let elements)) where !elements.isEmpty: throw Unusable(field: field(of: output))
            case .json(.object(let members)) where !members.isEmpty: throw Unusable(field: field(of: output))
            default: throw Missing(field: field(of: output))
            }
        }
        return text
    }

    private func isNo(_ value: Value) -> Bool {
        if case .json(false) = value { true } else { false }
    }

    /// Nil when it is missing.
    private func string(_ value: Value, isLiteral: Bool) -> String? {
        switch value {
        case .none, .json(.null), .json(.array), .json(.object): nil
        case .json(.bool(let value)): value ? "true" : "false"
        case .json(.number(let number)): isLiteral ? number.text : number.canonical.text
        case .json(.string(let text)): text.isEmpty && !isLiteral ? nil : text
        }
    }

    /// Nil when the filter can't use the text.
    private func apply(_ filter: LiquidFilter, _ text: String) -> String? {
        switch filter {
        case .default, .asNumber: text
        case .upcase: text.uppercased()
        case .downcase: Self.lower(text)
        case .capitalize:
            text.isEmpty
                ? ""
                : String(
                    String.UnicodeScalarView(text.unicodeScalars.prefix(1)).map { $0.properties.titlecaseMapping }
                        .joined())
                    + String(Self.lower(text, from: 1))
        case .truncate(let length, let ellipsis):
            text.count <= length ? text : text.prefix(max(length - ellipsis.count, 0)) + ellipsis
        case .number(let decimals): number(text, decimals)
        case .date(let format): date(text, format)
        }
    }

    /// Scalar by scalar, with the sigma that ends a word (SpecialCasing.txt, Final_Sigma).
    private static func lower(_ text: String, from start: Int = 0) -> String {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.dropFirst(start).map { index in
            guard scalars[index] == "Σ" else { return scalars[index].properties.lowercaseMapping }
            let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
            let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
            return before?.properties.isCased == true && after?.properties.isCased != true ? "ς" : "σ"
        }.joined()
    }

    private func number(_ text: String, _ decimals: Int?) -> String {
        guard case .number? = try? JSON(parsing: text), let value = Decimal(string: text) else { return text }
        let own =
            text.contains(".")
            ? text.count - (text.distance(from: text.startIndex, to: text.firstIndex(of: ".")!) + 1) : 0
        return value.formatted(
            Decimal.FormatStyle(locale: Locale(identifier: locale)).precision(.fractionLength(decimals ?? own))
                .rounded(rule: .toNearestOrAwayFromZero)
        ).replacingOccurrences(of: "\u{2212}", with: "-")
    }

    private func date(_ text: String, _ format: LiquidDateFormat) -> String? {
        let reader = DateFormatter()
        reader.calendar = Calendar(identifier: .gregorian)
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.timeZone = .gmt
        var date: Date?
        var zone = person.timeZone.flatMap { TimeZone(identifier: $0) } ?? TimeZone(identifier: context.defaultTimeZone)
        reader.dateFormat = "yyyy-MM-dd'T'HH:mm:ssXXXXX"
        if text == "now" {
            date = Date(timeIntervalSince1970: Double(now))
        } else if case .number(let number)? = try? JSON(parsing: text), let seconds = number.double {
            let isMilliseconds = abs(seconds) >= 1e11
            date = Date(timeIntervalSince1970: (isMilliseconds ? seconds / 1_000 : seconds).rounded(.towardZero))
        } else if text.count >= 20, let found = reader.date(from: text.uppercased()) {
            date = found
        } else {
            reader.dateFormat = text.count == 10 ? "yyyy-MM-dd" : "yyyy-MM-dd HH:mm:ss"
            zone = .gmt
            if text.count == 10 || text.count == 19 { date = reader.date(from: text) }
        }
        guard let date else { return nil }
        let writer = DateFormatter()
        writer.calendar = reader.calendar
        writer.locale = reader.locale
        writer.timeZone = zone
        return format.parts.map { part in
            switch part {
            case .text(let text): return text
            case .meridiem(let isUpper):
                writer.dateFormat = "a"
                return isUpper ? writer.string(from: date) : writer.string(from: date).lowercased()
            case .name(let name):
                let names = LiquidDateNames(
                    locale: content.variants.map(\.locale).chosen(chosen) ?? context.defaultLocale)
                writer.dateFormat = name == .weekday || name == .shortWeekday ? "e" : "M"
                let place = (Int(writer.string(from: date)) ?? 0) - 1
                return (names ?? .english).all[Int(name.rawValue)][place]
            case .number(let number, let padding):
                writer.dateFormat = ["y", "y", "M", "d", "D", "H", "h", "m", "s", "e", "e"][Int(number.rawValue)]
                var value = Int(writer.string(from: date)) ?? 0
                if number == .yearOfCentury { value %= 100 }
                // Unicode's e counts from Sunday 1 in this locale.
                if number == .weekdayFromSunday { value -= 1 }
                if number == .weekdayFromMonday { value = value == 1 ? 7 : value - 1 }
                let digits = "\(value)"
                let width = padding == .none ? 0 : number.width
                return String(repeating: padding == .space ? " " : "0", count: max(width - digits.count, 0)) + digits
            }
        }.joined()
    }

    // MARK: Conditions

    private func value(_ operand: LiquidOperand) -> Value {
        switch operand {
        case .text(let text): return .json(.string(text))
        case .number(let number): return (try? JSON(parsing: number)).map(Value.json) ?? .none
        case .bool(let value): return .json(.bool(value))
        case .null, .empty, .blank: return .none
        case .field(.device(.locale)): return .json(.string(locale))
        case .field(.device(.language)): return .json(.string(String(locale.prefix { $0 != "-" && $0 != "_" })))
        case .field(.device(.timeZone)):
            let zone = person.timeZone.flatMap { $0.isEmpty ? nil : $0 }
            return .json(.string(zone ?? context.defaultTimeZone))
        case .field(let field):
            guard let value = person.value(of: field), value != .null else { return .none }
            return .json(value)
        }
    }

    private func holds(_ condition: LiquidCondition) -> Bool {
        switch condition {
        case .and(let left, let right): return holds(left) && holds(right)
        case .or(let left, let right): return holds(left) || holds(right)
        case .truthy(let operand):
            if case .json(let value) = value(operand) { return value != .bool(false) }
            return false
        case .comparison(let left, let comparison, let right):
            for (operand, other) in [(left, right), (right, left)] where operand == .empty || operand == .blank {
                return isSpecial(value(other), operand) == (comparison == .equal)
            }
            if comparison == .contains { return contains(value(left), value(right)) }
            let (left, right) = (stored(left, comparedTo: right), stored(right, comparedTo: left))
            if case .json(let one) = value(left), case .json(let other) = value(right),
                left.isVersion || right.isVersion, let one = scalar(one), let other = scalar(other)
            {
                guard isNumbered(one), isNumbered(other) else {
                    let isSame = one.utf8.elementsEqual(other.utf8)
                    return comparison == .equal && isSame || comparison == .notEqual && !isSame
                }
                return comparison.holds(version(one), version(other)) { $0.lexicographicallyPrecedes($1) }
            }
            return compare(value(left), comparison, value(right))
        }
    }

    /// A text in the form in which devices have the field that it is compared with.
    private func stored(_ operand: LiquidOperand, comparedTo other: LiquidOperand) -> LiquidOperand {
        guard case .text(let text) = operand, case .field(.device(let field)) = other else { return operand }
        return .text(field.stored(text) ?? text)
    }

    /// Whether a number, or a v and a number, is the first thing in it.
    private func isNumbered(_ text: String) -> Bool { text.prefixMatch(of: /[ \t\n\r\u{B}\u{C}]*[vV]?[0-9]/) != nil }

    private func isSpecial(_ value: Value, _ word: LiquidOperand) -> Bool {
        switch value {
        case .none: word == .blank
        case .json(.bool(false)): word == .blank
        case .json(.string(let text)):
            word == .blank ? text.allSatisfy { $0.isWhitespace } : text.isEmpty
        case .json(.array(let elements)): elements.isEmpty
        case .json(.object(let members)): members.isEmpty
        case .json: false
        }
    }

    private func scalar(_ json: JSON) -> String? {
        switch json {
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
    }

    private func version(_ text: String) -> [Int] {
        let start = text.prefixMatch(of: /[ \t\n\r\u{B}\u{C}]*[vV]?/)?.range.upperBound ?? text.startIndex
        var parts = text[start...].components(separatedBy: ".").map { Int($0.prefix { "0"..."9" ~= $0 }) ?? 0 }
        while parts.last == 0 { parts.removeLast() }
        return parts
    }

    private func contains(_ left: Value, _ right: Value) -> Bool {
        guard case .json(let part) = right, part != .bool(false) else { return false }
        switch left {
        case .json(.array(let elements)):
            return elements.contains { compare(.json($0), .equal, right) }
        case .json(.string(let text)):
            switch part {
            case .string(let part): return part.isEmpty || text.utf8.contains(part.utf8)
            case .number(let number): return text.utf8.contains(number.text.utf8)
            case .bool: return text.utf8.contains("true".utf8)
            default: return false
            }
        default: return false
        }
    }

    private func compare(_ left: Value, _ comparison: LiquidComparison, _ right: Value) -> Bool {
        switch (left, right) {
        case (.json(.number(let one)), .json(.number(let other))):
            let (one, other) = (Decimal(string: one.text)!, Decimal(string: other.text)!)
            return comparison.holds(one, other) { $0 < $1 }
        case (.json(.string(let one)), .json(.string(let other))):
            return comparison.holds(Array(one.utf8), Array(other.utf8)) { $0.lexicographicallyPrecedes($1) }
        case (.none, .none): return comparison == .equal
        case (.json(let one), .json(let other)):
            return comparison == .equal ? one == other : comparison == .notEqual ? one != other : false
        default: return comparison == .notEqual
        }
    }
}

extension LiquidComparison {
    fileprivate func holds<Part: Equatable>(_ left: Part, _ right: Part, _ precedes: (Part, Part) -> Bool) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: precedes(left, right)
        case .lessOrEqual: !precedes(right, left)
        case .greater: precedes(right, left)
        case .greaterOrEqual: !precedes(left, right)
        case .contains: false
        }
    }
}

extension LiquidDateNames {
    fileprivate var all: [[String]] { [weekdays, shortWeekdays, months, shortMonths] }
}

extension [String] {
    /// Of the variants' names behind the payload for everybody.
    fileprivate func chosen(_ place: Int) -> String? { place == 0 ? nil : self[place - 1] }
}

extension LiquidOperand {
    fileprivate var isField: Bool { if case .field = self { true } else { false } }

    fileprivate var isVersion: Bool { self == .field(.device(.osVersion)) || self == .field(.device(.appVersion)) }
}
