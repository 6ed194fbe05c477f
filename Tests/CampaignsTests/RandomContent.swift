import JSON
import Notifications
import TestSupport

@testable import Campaigns

/// Templates and people that nobody would think of.
struct RandomContent {
    var generator: SeededGenerator

    private mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    /// Any Unicode, with what writers get wrong more often than its share.
    mutating func text(_ length: ClosedRange<Int> = 0...12) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<number(length) {
            let range = one([
                UInt32(0)...0x7F, 0x00...0x22, 0x5B...0x5D, 0x7F...0x7FF, 0x370...0x3FF, 0x800...0xFFFF,
                0x1F1E6...0x1F64F, 0x10000...0x10FFFF,
            ])
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }

    // MARK: People

    private static let names = ["name", "nick", "points", "price", "flag", "tags", "joined", "größe", "weird name"]

    /// The fields that its templates ask for.
    static let fields: [Field] = (names + ["address", "locale", "absent"]).map { .attribute([$0]) }

    mutating func person() -> RecipientProfile {
        var attributes: [JSON.Member] = []
        for name in Self.names where number(0...3) > 0 { attributes.append(JSON.Member(name, value(2))) }
        if number(0...3) > 0 {
            attributes.append(
                JSON.Member("address", .object([JSON.Member("city", value(1)), JSON.Member("zip", value(0))])))
        }
        if number(0...1) == 0 { attributes.append(JSON.Member("locale", .string(text()))) }
        return RecipientProfile(
            userID: one([nil, "", text(), "u1"]),
            locale: one([
                nil, "", "en", "de_DE", "zh-Hant-HK", "zh-Hans", "ja_JP", "fr-CA", "pt_PT", "hi", "de-CH", "th",
            ]),
            timeZone: one([nil, "", "Europe/Berlin", "Asia/Tokyo", "America/New_York", "Nowhere", "UTC"]),
            osVersion: one([nil, "9.3", "17.4.1", "18.0", text()]), appVersion: one([nil, "1.0", "1.10", "2"]),
            model: one([nil, "iPhone15,2"]), attributes: .object(attributes))
    }

    private mutating func value(_ depth: Int) -> JSON {
        switch number(0...(depth > 0 ? 11 : 9)) {
        case 0: .null
        case 1: .bool(number(0...1) == 0)
        case 2: .number(JSON.Number(number(-3...3)))
        case 3: .number(JSON.Number(number(-10_000_000_000...10_000_000_000)))
        case 4:
            (try? JSON(parsing: "\(number(-99_999...99_999)).\(number(0...9))\(number(0...9))\(number(0...9))")) ?? 0
        case 5: .string(one(["", "gold", "vip", "5", "Σ ΟΔΟΣ", "İstanbul ǆ ß", "👨‍👩‍👧‍👦👍🏽é", "a\r\nb", " ", "true"]))
        case 6:
            .string(
                one([
                    "2026-03-01", "2026-07-15T23:59:59Z", "2026-12-31T22:00:00-05:00", "now", "1772389805",
                    "2026-02-30",
                ]))
        case 7, 8, 9: .string(text(0...30))
        case 10: .array((0..<number(0...3)).map { _ in value(depth - 1) })
        default: .object((0..<number(0...2)).map { JSON.Member("k\($0)", value(depth - 1)) })
        }
    }

    // MARK: Templates

    mutating func content() -> TemplateContent {
        TemplateContent(
            payload: payload(),
            variants: ["zh-Hant", "zh", "de", "ja-JP", "fr"].filter { _ in number(0...2) == 0 }.map {
                .init(locale: $0, payload: payload())
            })
    }

    private mutating func payload() -> JSON {
        var aps = [
            JSON.Member(
                "alert",
                .object([
                    JSON.Member("title", .string(template(2))), JSON.Member("body", .string(template(2))),
                    JSON.Member("loc-args", .array((0..<number(0...2)).map { _ in .string(template(1)) })),
                ]))
        ]
        if number(0...4) == 0 { aps.append(JSON.Member("badge", .string("{{ \(variable()) | as_number }}"))) }
        if number(0...4) == 0 {
            aps.append(JSON.Member("badge2", .string("{{ \(variable()) | default: 3 | as_number }}")))
        }
        var members = [JSON.Member("aps", .object(aps))]
        for index in 0..<number(0...3) { members.append(JSON.Member("\(index)" + text(), custom(2))) }
        if number(0...9) == 0 {
            members.append(JSON.Member("long", .string(String(repeating: "長い", count: number(0...900)))))
        }
        return .object(members)
    }

    private mutating func custom(_ depth: Int) -> JSON {
        switch number(0...(depth > 0 ? 5 : 3)) {
        case 0: value(0)
        case 1, 2, 3: .string(template(1))
        case 4: .array((0..<number(0...3)).map { _ in custom(depth - 1) })
        default: .object((0..<number(0...3)).map { JSON.Member("k\($0)", custom(depth - 1)) })
        }
    }

    private mutating func template(_ depth: Int) -> String {
        (0..<number(0...3)).map { _ in part(depth) }.joined()
    }

    private mutating func part(_ depth: Int) -> String {
        switch number(0...(depth > 0 ? 7 : 5)) {
        case 0, 1: return safe(text())
        case 2: return "{{" + one([" ", "- "]) + "\(variable())" + one([" ", " -"]) + "}}"
        case 3, 4, 5:
            return "{{ \(variable())\((0..<number(0...3)).map { _ in filter() }.joined()) | default: \(literal()) }}"
        case 6: return "{% if \(condition()) %}\(template(depth - 1)){% else %}\(template(depth - 1)){% endif %}"
        default:
            return
                "{% if \(condition()) -%}\(template(depth - 1)){% elsif \(condition()) %}\(template(depth - 1)){%- endif %}"
        }
    }

    private func safe(_ text: String) -> String { text.replacing("{", with: "(").replacing("}", with: ")") }

    private mutating func variable() -> String {
        one(
            Self.names.dropLast() + [
                "attributes[\"weird name\"]", "attributes.locale", "address.city", "address.zip.x", "user_id", "locale",
                "language", "time_zone", "os_version", "model", "absent",
            ])
    }

    private mutating func literal() -> String {
        let text = safe(text(0...6)).replacing("'", with: "’").replacing("\"", with: "”")
        return one(["'\(text)'", "\"\(text)\"", "0", "-2.50", "5", "true", "'gold'", "'17.4'"])
    }

    private mutating func filter() -> String {
        " | "
            + one([
                "upcase", "downcase", "capitalize", "truncate: \(number(0...8))", "truncate: \(number(0...8)), '…'",
                "truncate: 3, ''", "date: '%F %T'", "date: '%-d/%m %e %I:%M %p %A %B %j %u %w'", "number", "number: 0",
                "number: 2",
                "default: \(literal())", "default: \(variable())",
            ])
    }

    private mutating func condition() -> String {
        (0...number(0...2)).map { _ in
            let left = one([variable(), literal()])
            let special = ["==", "!="]
            return one([
                left, "\(left) \(one(special)) \(one(["empty", "blank", "nil"]))",
                "\(left) \(one(["==", "!=", "<", "<=", ">", ">=", "contains", "<>"])) \(one([variable(), literal()]))",
            ])
        }.joined(separator: one([" and ", " or "]))
    }
}
