import Campaigns
import JSON
import Notifications
import Postgres

/// Tests of values in `d.attributes` as SQL. No value can cause an error: nothing is cast, and jsonb is compared with
/// jsonb.
struct AttributeSQL {
    private let path: AttributePath

    init(_ path: AttributePath) {
        self.path = path
    }

    func boolean(_ test: AudienceTest) -> PostgresQuery {
        switch test {
        case .exists: "(jsonb_typeof(\(value)) <> 'null') IS TRUE"
        case .text(.is(let text)): contains(.string(text))
        case .text(.isNot(let text)): "NOT \(contains(.string(text)))"
        case .text(.notIn(let texts)): "NOT \(text(.in(texts)))"
        case .text(let test): text(test)
        case .number(.is, let number): contains(.number(number))
        case .number(let order, let number):
            "((jsonb_typeof(\(value)) = 'number') IS TRUE AND \(value) \(order.sign) \(JSONText(.number(number))))"
        case .flag(let flag): contains(.bool(flag))
        // These tests do not occur for attributes.
        case .version, .time: "false"
        }
    }

    /// Equality: null equals nothing, numbers are compared by value, and a list with the value is not equal to it.
    private func contains(_ value: JSON) -> PostgresQuery {
        let object = path.names.reversed().reduce(value) { .object([JSON.Member($1, $0)]) }
        return "(d.attributes @> \(JSONText(object)))"
    }

    private func text(_ test: AudienceTest.TextTest) -> PostgresQuery {
        "((jsonb_typeof(\(value)) = 'string') IS TRUE AND \(AudienceCompiler.text("(\(parent) ->> \(last))", test)))"
    }

    /// Uses `->` with names instead of `#>`, which would read "0" as an index into a list.
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
