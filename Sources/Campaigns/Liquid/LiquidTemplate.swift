/// A parsed text with Liquid: literal text, placeholders and branches.
///
/// A subset of Liquid (shopify.github.io/liquid): `{{ path | filter: argument }}`, `if`, `elsif`, `else`, `endif`,
/// `comment`, `raw`, hyphens that trim white space. It differs from Liquid where Liquid's output would be wrong:
/// - A placeholder is missing if its variable is absent, null, or empty and has no `default`. The recipient is skipped
///   then; Liquid writes nothing. So is one with a value that the placeholder can't show: a list or an object, which
///   Liquid joins, or what is no date for `date`, which Liquid writes as it is.
/// - `truncate` counts characters as people do, so that no emoji is cut in two; Liquid counts code points.
/// - `os_version` and `app_version` are compared part by part, so that 9.3 is less than 17.0.
/// - `<` and its like between a number and a text are false; Liquid stops with an error.
/// - `date` writes a moment in the recipient's time zone, with names in the language of the text.
/// - `number` and `as_number` are additions.
struct LiquidTemplate: Equatable {
    let nodes: [LiquidNode]

    /// The maximum bytes of a text. No payload has room for more.
    static let maximumSize = 32 * 1024
    /// The maximum depth of nested ifs.
    static let maximumDepth = 32
    /// The maximum number of errors reported for one text.
    static let maximumErrors = 50
    /// Placeholders and ifs of one payload.
    static let maximumParts = 200
    /// Comparisons of one condition.
    static let maximumTerms = 50

    /// Whether `text` contains Liquid.
    ///
    /// By bytes: with a character that combines with the brace before it, `{{` is no part of a text for Swift.
    static func isLiquid(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            first == UInt8(ascii: "{") && (second == UInt8(ascii: "{") || second == UInt8(ascii: "%"))
        }
    }

    init(parsing text: String) throws(LiquidErrors) {
        var parser = LiquidParser(text)
        nodes = try parser.template()
    }

    /// The number of placeholders and ifs, including those in branches.
    var parts: Int { Self.parts(of: nodes) }

    private static func parts(of nodes: [LiquidNode]) -> Int {
        nodes.reduce(0) { count, node in
            switch node {
            case .text: count
            case .output: count + 1
            case .branches(let branches, let otherwise):
                branches.reduce(count + branches.count + parts(of: otherwise)) { $0 + parts(of: $1.nodes) }
            }
        }
    }

    /// The one placeholder of a text that consists of nothing else.
    var onlyOutput: LiquidOutput? {
        guard nodes.count == 1, case .output(let output) = nodes[0] else { return nil }
        return output
    }
}

indirect enum LiquidNode: Equatable {
    case text(String)
    case output(LiquidOutput)
    /// The first branch whose condition holds, else the last nodes.
    case branches([LiquidBranch], otherwise: [LiquidNode])
}

struct LiquidBranch: Equatable {
    let condition: LiquidCondition
    let nodes: [LiquidNode]
}

/// A placeholder.
struct LiquidOutput: Equatable {
    let value: LiquidOperand
    let filters: [LiquidFilter]
    let offset: Int

    /// Written without quotes, as a JSON number.
    var isNumber: Bool { filters.last == .asNumber }
}

enum LiquidOperand: Equatable {
    case field(Field)
    case text(String)
    /// As written.
    case number(String)
    case bool(Bool)
    case null, empty, blank

    static let keywords: Set<String> = [
        "true", "false", "nil", "null", "empty", "blank", "and", "or", "contains", "not", "in",
    ]

    /// Values as other languages spell them. As names of attributes they would be missing for everybody.
    static let misspelled = [
        "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "Nil": "nil", "NIL": "nil", "None": "nil",
        "NONE": "nil", "Null": "null", "NULL": "null",
    ]
}

enum LiquidFilter: Equatable {
    case `default`(LiquidOperand)
    case upcase, downcase, capitalize
    /// Characters at most, the ellipsis counted in.
    case truncate(Int, ellipsis: String)
    case date(LiquidDateFormat)
    /// Nil: as many decimals as the value has.
    case number(decimals: Int?)
    case asNumber
}

indirect enum LiquidCondition: Equatable {
    case truthy(LiquidOperand)
    case comparison(LiquidOperand, LiquidComparison, LiquidOperand)
    case and(LiquidCondition, LiquidCondition)
    case or(LiquidCondition, LiquidCondition)
}

enum LiquidComparison: String, CaseIterable, Equatable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
}

extension LiquidOutput {
    /// The field to name when the placeholder cannot be filled; nil when it always can.
    var firstField: Field? { fields.first }

    /// The value's, and those of its defaults.
    var fields: [Field] {
        let operands =
            [value]
            + filters.compactMap { filter in
                if case .default(let operand) = filter { operand } else { nil }
            }
        return operands.compactMap { operand in
            if case .field(let field) = operand { field } else { nil }
        }
    }
}
