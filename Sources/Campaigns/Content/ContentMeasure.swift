import JSON
import Notifications

/// Measures the smallest and largest size of a payload over all devices.
/// Docs/decisions/content.md explains why the longest payload is an estimate.
struct ContentMeasure {
    private let context: ContentContext
    private let names: LiquidDateNames

    /// Bytes of one placeholder that are counted exactly; more is too long for any payload.
    private static let maximumPlaceholderSize = 64 * 1024
    /// Locales with different marks between groups of digits; the longest result counts.
    private static let countries: [String?] = ["en", "fr", "de-CH", "hi"]

    /// A single placeholder has no message id.
    private static let noID: [UInt8] = [0]

    typealias Size = (least: Int, worst: Int)

    init(context: ContentContext, locale: String?) {
        self.context = context
        names = LiquidDateNames(locale: locale ?? context.defaultLocale) ?? .english
    }

    /// With the message id.
    func size(of payload: JSON) -> Size {
        let (least, worst) = measure(payload)
        // `,"i":"…"` before the last brace; the comma not after an empty object.
        let key = JSON.string(context.messageIDKey).encoded().count
        let id = key + MessageID.textLength + (payload == .object([]) ? 3 : 4)
        return (least + id, worst + id)
    }

    private func measure(_ json: JSON) -> Size {
        switch json {
        case .string(let text) where LiquidTemplate.isLiquid(text):
            guard let template = try? LiquidTemplate(parsing: text) else { return (0, 0) }
            let (least, worst) = measure(template.nodes)
            let quotes = template.onlyOutput?.isNumber == true ? 0 : 2
            return (least + quotes, worst + quotes)
        case .null, .bool, .number, .string:
            let count = json.encoded().count
            return (count, count)
        case .array(let elements):
            return elements.reduce(punctuation(elements.count)) { Self.sum($0, measure($1)) }
        case .object(let members):
            return members.reduce(punctuation(members.count)) { size, member in
                let key = JSON.string(member.key).encoded().count + 1
                return Self.sum(Self.sum(size, (key, key)), measure(member.value))
            }
        }
    }

    /// Brackets and commas.
    private func punctuation(_ count: Int) -> Size {
        let bytes = 2 + max(count - 1, 0)
        return (bytes, bytes)
    }

    private static func sum(_ left: Size, _ right: Size) -> Size {
        (left.least + right.least, left.worst + right.worst)
    }

    private func measure(_ nodes: [LiquidNode]) -> Size {
        nodes.reduce((0, 0)) { size, node in
            switch node {
            case .text(let text):
                let count = JSON.string(text).encoded().count - 2
                return Self.sum(size, (count, count))
            case .output(let output): return Self.sum(size, (least(output), worst(output)))
            case .branches(let branches, let otherwise):
                let sizes = (branches.map(\.nodes) + [otherwise]).map { measure($0) }
                return Self.sum(size, (sizes.map(\.least).min() ?? 0, sizes.map(\.worst).max() ?? 0))
            }
        }
    }

    private func least(_ output: LiquidOutput) -> Int {
        output.filters.contains(.default(.text(""))) || output.value == .text("") ? 0 : 1
    }

    /// The longest output of the value and each of its defaults, from the code that composes payloads.
    private func worst(_ output: LiquidOutput) -> Int {
        let content = CompiledContent(placeholder: output, names: names, in: context)
        let composer = ContentComposer(content, now: 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.maximumPlaceholderSize, alignment: 8)
        defer { buffer.deallocate() }
        let usesNumber = output.filters.contains { if case .number = $0 { true } else { false } }
        var worst = 0
        for absent in 0...output.fields.count {
            let missing = Set(output.fields.prefix(absent))
            for country in usesNumber ? Self.countries + [nil] : [nil] {
                let values = ColumnValues(content.needs) { field in
                    if field == .device(.locale), let country { return .string(country) }
                    return missing.contains(field) ? nil : context.longestValue(of: field)
                }
                switch values.compose(composer, id: Self.noID, into: buffer) {
                case .written(let count): worst = max(worst, count)
                case .missing, .unusable: break
                case .tooLong: worst = Self.maximumPlaceholderSize
                }
            }
        }
        return max(worst, bound(output))
    }

    /// The composed value consists of nines. Other values have more bytes per character, grow when their case
    /// changes, or are no date and stay as they are.
    private func bound(_ output: LiquidOutput) -> Int {
        output.filters.reduce(length(output.value)) { longest, filter in
            switch filter {
            case .default(let operand): max(longest, length(operand))
            case .upcase, .downcase, .capitalize: longest * Self.longestCaseChange
            case .truncate(let count, let ellipsis):
                longest <= count
                    ? longest
                    : min(longest, count * Self.bytesOfACharacter) + JSON.string(ellipsis).encoded().count - 2
            case .date(let format): max(longest, length(format))
            case .number, .asNumber: longest
            }
        }
    }

    /// A byte that becomes three: U+0390 has two and its capitals six.
    private static let longestCaseChange = 3
    /// Enough for nearly all texts; recipients whose text of long emoji exceeds it are suppressed and counted.
    private static let bytesOfACharacter = 4

    private func length(_ operand: LiquidOperand) -> Int {
        switch operand {
        case .field(let field): context.longestValue(of: field).map(Self.shownLength) ?? 0
        case .text(let text): Self.shownLength(.string(text))
        case .number(let text): text.utf8.count
        case .bool(let value): "\(value)".utf8.count
        case .null, .empty, .blank: 0
        }
    }

    /// Without the quotes of a text.
    private static func shownLength(_ value: JSON) -> Int {
        if case .string = value { return value.encoded().count - 2 }
        return value.encoded().count
    }

    private func length(_ format: LiquidDateFormat) -> Int {
        format.parts.reduce(0) { length, part in
            switch part {
            case .text(let text): length + JSON.string(text).encoded().count - 2
            case .number(let number, _): length + number.width
            case .meridiem: length + 2
            case .name(let name):
                length
                    + ((name.texts(in: names).map(\.utf8.count).max()) ?? 0)
            }
        }
    }
}

extension LiquidDateFormat.Name {
    fileprivate func texts(in names: LiquidDateNames) -> [String] {
        switch self {
        case .weekday: names.weekdays
        case .shortWeekday: names.shortWeekdays
        case .month: names.months
        case .shortMonth: names.shortMonths
        }
    }
}
