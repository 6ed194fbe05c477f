import Campaigns
import JSON
import Notifications
import Postgres

/// Tests of values in JSON objects, such as `d.attributes`, as SQL. No value can cause an error: nothing is cast, and jsonb is compared with
/// jsonb.
///
/// Docs/decisions/audience.md explains why dates are compared as text.
struct AttributeSQL {
    private let path: AttributePath
    private let column: PostgresQuery
    private let today: DaySQL

    init(_ path: AttributePath, in column: PostgresQuery = "d.attributes", today: DaySQL) {
        self.path = path
        self.column = column
        self.today = today
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
        case .day(let test): day(test)
        // These tests do not occur for attributes.
        case .version, .time: "false"
        }
    }

    /// Equality: null equals nothing, numbers are compared by value, and a list with the value is not equal to it.
    private func contains(_ value: JSON) -> PostgresQuery {
        let object = path.names.reversed().reduce(value) { .object([JSON.Member($1, $0)]) }
        return "(\(column) @> \(JSONText(object)))"
    }

    private func text(_ test: AudienceTest.TextTest) -> PostgresQuery {
        "((jsonb_typeof(\(value)) = 'string') IS TRUE AND \(AudienceCompiler.text("(\(parent) ->> \(last))", test)))"
    }

    // MARK: Days

    /// Dates are compared as text, so that 2026-02-30 is no error.
    private func day(_ test: AudienceTest.DayTest) -> PostgresQuery {
        let text: PostgresQuery = "btrim(\(parent) ->> \(last), \(Self.spaces))"
        let dashed: PostgresQuery = #"regexp_replace(\#(text), '^(\d{4})(\d\d)(\d\d)$', '\1-\2-\3')"#
        let isDate: PostgresQuery = "jsonb_typeof(\(value)) IN ('string', 'number') AND \(dashed) ~ \(Self.date)"
        let day: PostgresQuery = #"left(\#(dashed), 10) COLLATE "C""#
        let comparison: PostgresQuery =
            switch test {
            case .before(let limit): "\(day) < \(limit.text)"
            case .after(let limit): "\(day) > \(limit.text)"
            case .withinDays(let days): "\(day) BETWEEN \(today.date(-days)) AND \(today.date(0))"
            case .olderThanDays(let days): "\(day) < \(today.date(-days))"
            case .withinNextDays(let days): "\(day) BETWEEN \(today.date(0)) AND \(today.date(days))"
            case .anniversaryInDays(let days): "right(\(day), 6) IN (\(today.yearless(days)), \(today.leapDay(days)))"
            }
        return "((\(isDate) AND \(comparison)) IS TRUE)"
    }

    /// What the filter `date` reads, too (`DateText`): a date of the calendar, and possibly a time and an offset.
    private static let date: String = {
        let leapYear = #"(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"#
        let long = #"(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])"#
        let short = #"(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8])"#
        let time = #"([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)([.,]\d+)?)?"#
        let offset = #" ?([Zz]|UTC|GMT|[+-]([01]\d|2[0-3])(:?[0-5]\d){0,2})"#
        return "^(?!0000)(\\d{4}-(\(long)|\(short))|\(leapYear)-02-29)([Tt ]\(time)(\(offset))?)?$"
    }()

    /// White space around a date has no meaning.
    private static let spaces = " \t\n\u{B}\u{C}\r"

    /// Uses `->` with names instead of `#>`, which would read "0" as an index into a list.
    private var value: PostgresQuery { "(\(parent) -> \(last))" }

    private var parent: PostgresQuery {
        path.names.dropLast().reduce(column) { "\($0) -> \($1)" }
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
