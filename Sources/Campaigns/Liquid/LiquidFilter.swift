import JSON
import Notifications

extension LiquidFilter {
    /// The reason why a filter is invalid: a code and a message.
    struct Fault: Error {
        let code: String
        let message: Message
    }

    static let names = ["default", "upcase", "downcase", "capitalize", "truncate", "date", "number", "as_number"]

    /// Liquid's own defaults.
    static let truncatedLength = 50
    static let ellipsis = "..."
    static let maximumLength = 10_000
    static let maximumDecimals = 10

    static func make(_ name: String, _ arguments: [LiquidOperand]) throws(Fault) -> LiquidFilter {
        switch name {
        case "default":
            try count(name, arguments, 1...1, "the text to use when the value is missing")
            switch arguments[0] {
            case .null, .empty, .blank:
                throw Fault(
                    code: "bad-argument", message: "the argument of default must be text, a number or a variable")
            case .field, .text, .number, .bool: return .default(arguments[0])
            }
        case "upcase", "downcase", "capitalize":
            try count(name, arguments, 0...0, nil)
            return name == "upcase" ? .upcase : name == "downcase" ? .downcase : .capitalize
        case "truncate":
            try count(name, arguments, 0...2, "a number of characters and an ellipsis")
            let length = try arguments.first.map { argument throws(Fault) in
                try whole(argument, 0...maximumLength, "the first argument of truncate must be a number of characters")
            }
            return .truncate(
                length ?? truncatedLength,
                ellipsis: try arguments.count < 2 ? ellipsis : text(arguments[1], "the ellipsis of truncate"))
        case "date":
            try count(name, arguments, 1...1, "a format, like \"%d.%m.%Y\"")
            return .date(try LiquidDateFormat(try text(arguments[0], "the format of date")))
        case "number":
            try count(name, arguments, 0...1, "a number of decimals")
            return .number(
                decimals: try arguments.first.map { argument throws(Fault) in
                    try whole(argument, 0...maximumDecimals, "the argument of number must be a number of decimals")
                })
        case "as_number":
            try count(name, arguments, 0...0, nil)
            return .asNumber
        default:
            throw Fault(code: "unknown-filter", message: unknown(name))
        }
    }

    private static func count(
        _ name: String, _ arguments: [LiquidOperand], _ allowed: ClosedRange<Int>, _ what: Message?
    ) throws(Fault) {
        guard !allowed.contains(arguments.count) else { return }
        let wanted: Message = what.map { "takes \($0)" } ?? "takes no argument"
        let found: Message = arguments.isEmpty ? "none" : "\(arguments.count)"
        throw Fault(code: "argument-count", message: "\(name) \(wanted), but has \(found)")
    }

    private static func whole(
        _ argument: LiquidOperand, _ range: ClosedRange<Int>, _ wanted: Message
    ) throws(Fault) -> Int {
        guard case .number(let text) = argument, let number = Int(text), range.contains(number) else {
            throw Fault(code: "bad-argument", message: "\(wanted) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func text(_ argument: LiquidOperand, _ what: Message) throws(Fault) -> String {
        guard case .text(let text) = argument else {
            throw Fault(code: "bad-argument", message: "\(what) must be a text in quotes")
        }
        return text
    }

    private static func unknown(_ name: String) -> Message {
        guard let meant = Spelling.nearest(to: name, among: names) else {
            return "unknown filter \(name); the filters are \(names.list)"
        }
        return "unknown filter \(name)\(Spelling.suggestion(meant))"
    }
}
