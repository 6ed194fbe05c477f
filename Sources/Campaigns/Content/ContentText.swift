import JSON
import Notifications

/// A text in a payload that contains Liquid, and its path.
struct ContentText {
    /// Like `aps.alert.loc-args[1]`.
    let path: String
    let source: String
    let template: LiquidTemplate

    static let badgePath = "aps.badge"

    /// In the order of the payload, without texts that have errors; `problems` reports those.
    static func texts(in json: JSON) -> [ContentText] {
        var texts: [ContentText] = []
        visit(json, at: "") { path, text in
            guard let template = try? LiquidTemplate(parsing: text) else { return }
            texts.append(ContentText(path: path, source: text, template: template))
        }
        return texts
    }

    /// All errors of syntax, each with its path and position.
    static func problems(in json: JSON, at path: String) -> [Problem] {
        var problems: [Problem] = []
        var parts = 0
        visit(json, at: path) { path, text in
            guard parts <= LiquidTemplate.maximumParts, problems.count < LiquidTemplate.maximumErrors else { return }
            do throws(LiquidErrors) {
                let template = try LiquidTemplate(parsing: text)
                parts += template.parts
                problems += numberProblems(template, text, path)
            } catch {
                problems += error.errors.map { $0.problem(at: path, in: text) }
            }
        }
        if parts > LiquidTemplate.maximumParts {
            problems.append(
                .error(
                    path, "too-many-placeholders",
                    "must contain at most \(LiquidTemplate.maximumParts) placeholders and conditions"))
        }
        return problems
    }

    /// A number has no quotes, so it cannot be part of a text.
    private static func numberProblems(_ template: LiquidTemplate, _ text: String, _ path: String) -> [Problem] {
        guard template.onlyOutput == nil else { return [] }
        return template.nodes.outputs.filter(\.isNumber).map { output in
            LiquidError(
                code: "as-number-in-text", offset: output.offset,
                message: "a placeholder with as_number must be the whole text; use number to write a number in a text"
            ).problem(at: path, in: text)
        }
    }

    /// The payload with a number for each text that becomes a number, to be checked against Apple's rules.
    static func withNumbers(_ json: JSON) -> JSON {
        switch json {
        case .string(let text) where LiquidTemplate.isLiquid(text):
            (try? LiquidTemplate(parsing: text))?.onlyOutput?.isNumber == true ? 0 : json
        case .null, .bool, .number, .string: json
        case .array(let elements): .array(elements.map(withNumbers))
        case .object(let members): .object(members.map { JSON.Member($0.key, withNumbers($0.value)) })
        }
    }

    static func visit(_ json: JSON, at path: String, _ body: (String, String) -> Void) {
        switch json {
        case .string(let text): if LiquidTemplate.isLiquid(text) { body(path, text) }
        case .null, .bool, .number: break
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                visit(element, at: ProblemPath.element(index, of: path), body)
            }
        case .object(let members):
            for member in members { visit(member.value, at: ProblemPath.member(member.key, of: path), body) }
        }
    }
}

extension [LiquidNode] {
    /// Every placeholder, in all branches.
    var outputs: [LiquidOutput] {
        flatMap { node -> [LiquidOutput] in
            switch node {
            case .text: []
            case .output(let output): [output]
            case .branches(let branches, let otherwise): branches.flatMap(\.nodes.outputs) + otherwise.outputs
            }
        }
    }

    /// Every field, of placeholders and conditions.
    var fields: [Field] {
        flatMap { node -> [Field] in
            switch node {
            case .text: []
            case .output(let output): output.fields
            case .branches(let branches, let otherwise):
                branches.flatMap { $0.condition.fields + $0.nodes.fields } + otherwise.fields
            }
        }
    }
}

extension [LiquidNode] {
    /// Every comparison of conditions.
    var comparisons: [LiquidCondition.Comparison] {
        flatMap { node -> [LiquidCondition.Comparison] in
            guard case .branches(let branches, let otherwise) = node else { return [] }
            return branches.flatMap { $0.condition.comparisons + $0.nodes.comparisons } + otherwise.comparisons
        }
    }
}

extension LiquidCondition {
    typealias Comparison = (left: LiquidOperand, sign: LiquidComparison, right: LiquidOperand)

    fileprivate var comparisons: [Comparison] {
        switch self {
        case .truthy: []
        case .comparison(let left, let sign, let right): [(left, sign, right)]
        case .and(let left, let right), .or(let left, let right): left.comparisons + right.comparisons
        }
    }

    fileprivate var fields: [Field] {
        switch self {
        case .truthy(let operand): operand.fields
        case .comparison(let left, _, let right): left.fields + right.fields
        case .and(let left, let right), .or(let left, let right): left.fields + right.fields
        }
    }
}

extension LiquidOperand {
    fileprivate var fields: [Field] {
        guard case .field(let field) = self else { return [] }
        return [field]
    }
}
