import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

struct LiquidSyntaxTests {
    /// Codes with their offsets.
    private func errors(_ template: String) -> [String] {
        do throws(LiquidErrors) {
            _ = try LiquidTemplate(parsing: template)
            return []
        } catch {
            return error.errors.map { "\($0.offset) \($0.code)" }
        }
    }

    private func message(_ template: String) -> String {
        do throws(LiquidErrors) {
            _ = try LiquidTemplate(parsing: template)
            return ""
        } catch {
            return error.errors.map(\.message.description).joined(separator: "; ")
        }
    }

    @Test(arguments: [
        ("Hi {{ name", ["3 unclosed-output"]),
        ("Hi {{ name }", ["3 unclosed-output"]),
        ("Hi {{ name {{ other }}", ["3 unclosed-output"]),
        ("Hi {{ name {% if x %}a{% endif %}", ["3 unclosed-output"]),
        ("{% if x", ["0 unclosed-tag"]),
        ("{% if x }}{{ y }}", ["0 unclosed-tag"]),
        ("{% if x %}a", ["0 unclosed-block"]),
        ("{% if x %}{% if y %}a{% endif %}", ["0 unclosed-block"]),
        ("{% comment %}a", ["0 unclosed-block"]),
        ("a{% raw %}{{ x }}", ["1 unclosed-block"]),
        ("a{% endif %}b{% else %}", ["1 misplaced-tag", "13 misplaced-tag"]),
        ("{% if x %}a{% else %}b{% else %}c{% endif %}", ["22 misplaced-tag"]),
        ("{% if x %}a{% else %}b{% elsif y %}c{% endif %}", ["22 misplaced-tag"]),
        ("{% if x %}a{% else y %}b{% endif %}", ["11 unexpected"]),
        ("{% if %}a{% endif %}", ["6 empty"]),
        ("{% if x %}a{% elsif %}b{% endif %}", ["20 empty"]),
        ("{{ }}", ["3 empty"]), ("{{}}", ["2 empty"]), ("{{-}}", ["3 empty"]),
        ("{% unless x %}a{% endunless %}", ["0 unknown-tag", "15 unknown-tag"]),
        ("{% endcomment %}", ["0 unknown-tag"]), ("{% %}", ["0 unknown-tag"]),
        ("{{ name | shout }}", ["10 unknown-filter"]),
        ("{{ name | }}", ["10 unexpected"]),
        ("{{ name | upcase: 1 }}", ["10 argument-count"]),
        ("{{ name | default }}", ["10 argument-count"]),
        ("{{ name | default: 'a', 'b' }}", ["10 argument-count"]),
        ("{{ name | default: nil }}", ["10 bad-argument"]),
        ("{{ name | default: 'a', allow_false: true }}", ["24 unexpected"]),
        ("{{ name | truncate: 'a' }}", ["10 bad-argument"]),
        ("{{ name | truncate: -1 }}", ["10 bad-argument"]),
        ("{{ name | truncate: 5, 6 }}", ["10 bad-argument"]),
        ("{{ name | truncate: 1, 'a', 2 }}", ["10 argument-count"]),
        ("{{ d | date }}", ["7 argument-count"]), ("{{ d | date: x }}", ["7 bad-argument"]),
        ("{{ d | date: '%Q' }}", ["7 date-format"]), ("{{ d | date: '%' }}", ["7 date-format"]),
        ("{{ d | date: '%-' }}", ["7 date-format"]),
        ("{{ n | number: 1.5 }}", ["7 bad-argument"]), ("{{ n | number: 99 }}", ["7 bad-argument"]),
        ("{{ n | as_number | upcase }}", ["19 bad-order"]),
        ("{{ n | upcase | as_number }}", ["3 bad-order"]), ("{{ 5 | as_number }}", ["3 bad-order"]),
        ("{{ name other }}", ["8 unexpected"]), ("{{ name, other }}", ["7 unexpected"]),
        ("{{ name. }}", ["9 unexpected"]), ("{{ name[0] }}", ["8 unexpected"]), ("{{ name['a' }}", ["12 unexpected"]),
        ("{{ 'name }}", ["3 unclosed-quote"]), ("{{ na(me }}", ["5 unexpected"]), ("{{ % }}", ["3 unexpected"]),
        ("{{ nil }}", ["3 always-empty"]), ("{{ empty }}", ["3 always-empty"]),
        ("{{ attributes }}", ["3 unexpected"]), ("{{ locale.x }}", ["3 unexpected"]),
        ("{{ a.b.c.d.e.f.g.h.i }}", ["3 too-deep"]),
        ("{% if x = 1 %}a{% endif %}", ["8 unexpected"]), ("{% if x == %}a{% endif %}", ["11 unexpected"]),
        ("{% if x == 1 == 2 %}a{% endif %}", ["13 unexpected"]), ("{% if x and %}a{% endif %}", ["12 unexpected"]),
        ("{% if and x %}a{% endif %}", ["6 unexpected"]), ("{% if not x %}a{% endif %}", ["6 unexpected"]),
        ("{% if empty %}a{% endif %}", ["6 unexpected"]), ("{% if x < empty %}a{% endif %}", ["10 unexpected"]),
        ("{% if (x) %}a{% endif %}", ["6 unexpected"]), ("{% if x | upcase %}a{% endif %}", ["8 unexpected"]),
        // All at once, in the order of the text.
        (
            "{{ a | shout }}{% if = %}{{ b | upcase: 1 | yell }}{% endfi %}{{",
            [
                "7 unknown-filter", "15 unclosed-block", "21 unexpected", "32 argument-count", "44 unknown-filter",
                "51 unknown-tag", "62 unclosed-output",
            ]
        ),
    ])
    func everyErrorHasItsPosition(template: String, expected: [String]) {
        #expect(errors(template) == expected, "\(template): \(message(template))")
    }

    @Test(arguments: [
        ("{{ x | upcas }}", "unknown filter upcas; did you mean upcase?"),
        ("{{ x | captialize }}", "unknown filter captialize; did you mean capitalize?"),
        (
            "{{ x | strip }}",
            "unknown filter strip; the filters are default, upcase, downcase, capitalize, truncate, date, number, as_number"
        ),
        ("{% elseif x %}", "unknown tag elseif; did you mean elsif?"),
        ("{% fi %}", "unknown tag fi"),
        ("{% elsfi x %}", "unknown tag elsfi; did you mean elsif?"),
        ("{% for x in y %}", "{% for %} is not supported; templates support if, comment and raw"),
        ("{{ x | upcase: 2 }}", "upcase takes no argument, but has 1"),
        ("{{ x | date }}", "date takes a format, like \"%d.%m.%Y\", but has none"),
        ("{{ x | truncate: 'y' }}", "the first argument of truncate must be a number of characters from 0 to 10000"),
        (
            "{% if x = 1 %}a{% endif %}",
            "unexpected =: a comparison, and, or, or the end must follow; did you mean ==?"
        ),
        (
            "{{ locale.x }}",
            "locale is a field of the device and has no members; use attributes.locale for an attribute of that name"
        ),
        ("{{ name", "the {{ has no }} that closes it"),
    ])
    func messagesSuggestACorrection(template: String, expected: String) {
        #expect(message(template) == expected)
    }

    @Test func positionsAreCountedInCharacters() throws {
        let error = LiquidError(code: "x", offset: "👨‍👩‍👧é".utf8.count, message: "is wrong")

        #expect(error.problem(at: "a", in: "👨‍👩‍👧é{{").message == "is wrong (at character 3)")
    }

    @Test func textsBeyondTheLimitsAreRefused() {
        let deep = String(repeating: "{% if x %}", count: 33) + "a" + String(repeating: "{% endif %}", count: 33)
        let long = String(repeating: "a", count: LiquidTemplate.maximumSize - 1)

        #expect(errors(deep).contains("320 too-deep"))
        #expect(errors(String(deep.dropFirst(10).dropLast(11))) == [])
        #expect(errors(long + "a") == [])
        #expect(errors(long + "{{") == ["0 too-long"])
    }

    /// Whatever is typed is read to its end: nothing traps, and each error's place is within the text.
    @Test(arguments: 0..<8)
    func anyTextIsRead(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "{{", "}}", "{%", "%}", "-", "if", "elsif", "else", "endif", "raw", "endraw", "comment", "endcomment", " ",
            "name", ".", "[", "]", "'", "\"", "|", ":", ",", "upcase", "date", "5", "==", "<", "and", "é", "👍", "%d",
            "nil", "\n", "{", "}", "#",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                parts.randomElement(using: &generator)!
            }.joined()
            do throws(LiquidErrors) {
                _ = try LiquidTemplate(parsing: text)
            } catch {
                #expect(!error.errors.isEmpty)
                #expect(error.errors.allSatisfy { (0...text.utf8.count).contains($0.offset) }, "\(text)")
                #expect(error.errors.allSatisfy { !$0.problem(at: "a", in: text).message.isEmpty })
            }
        }
    }
}
