import Campaigns
import JSON
import Notifications
import Postgres

/// What is asked of a value in `d.attributes`, as SQL that no value makes raise: nothing is cast, and jsonb compares with
/// jsonb.
struct AttributeSQL {
    private let path: AttributePath

    init(_ path: AttributePath) {
        self.path = path
    }

    func boolean(_ test: AudienceTest) -> PostgresQuery {
        switch test {
        case .exists: "(jsonb_typeof(\(value)) <> 'null') IS TRUE"
        case .text(.is(let text)): holds(.string(text))
        case .text(.isNot(let text)): "NOT \(holds(.string(text)))"
        case .text(.notIn(let texts)): "NOT \(text(.in(texts)))"
        case .text(let test): text(test)
        case .number(.is, let number): holds(.number(number))
        case .number(let order, let number):
            "((jsonb_typeof(\(value)) = 'number') IS TRUE AND \(value) \(order.sign) \(JSONText(.number(number))))"
        case .flag(let flag): holds(.bool(flag))
        // Nothing that is read from JSON.
        case .version, .time: "false"
        }
    }

    /// Nulls are equal to nothing here, and numbers by their value. A list that holds the value is none.
    private func holds(_ value: JSON) -> PostgresQuery {
        let object = path.names.reversed().reduce(value) { .object([JSON.Member($1, $0)]) }
        return "(d.attributes @> \(JSONText(object)))"
    }

    private func text(_ test: AudienceTest.TextTest) -> PostgresQuery {
        "((jsonb_typeof(\(value)) = 'string') IS TRUE AND \(AudienceCompiler.text("(\(parent) ->> \(last))", test)))"
    }

    /// By names and not by `#>`, which would take "0" for a place in a list.
    private var value: PostgresQuery { "(\(parent) -> \(last))" }

    private var parent: PostgresQuery {
        path.names.dropLast().reduce("d.attributes") { "\($0) -> \($1)" }
    }

    private var last: String { path.names.last ?? "" }
}

extension AudienceTest.Order {
    fileprivate var sign: PostgresQuery {
        switch self {
        case .is: "="
        case .atLeast: ">="
        case .below: "<"
        case .above: ">"
        case .atMost: "<="
        }
    }
}

extension JSONText {
    fileprivate init(_ json: JSON) {
        self.init(json.encoded())
    }
}
