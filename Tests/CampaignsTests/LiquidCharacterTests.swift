import JSON
import Notifications
import Testing

@testable import Campaigns

/// Characters beyond ASCII between the braces, and braces beyond ASCII.
struct LiquidCharacterTests {
    private func errors(_ template: String) -> [LiquidError] {
        do throws(LiquidErrors) {
            _ = try LiquidTemplate(parsing: template)
            return []
        } catch {
            return error.errors
        }
    }

    /// The text after all its fixes; nil if there is none.
    private func mended(_ template: String) -> String? {
        let problems =
            errors(template).compactMap(\.fix) + LiquidLookalike.problems(in: template, at: "").compactMap(\.fix)
        return problems.isEmpty ? nil : problems.reduce(template) { $0.replacing($1.from, with: $1.to) }
    }

    @Test(arguments: [
        ("{% if plan != “gold” %}a{% endif %}", "{% if plan != \"gold\" %}a{% endif %}"),
        ("{{ nick | default: “there” }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: “there\" }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: \"there” }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: ”there” }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: „da“ }}", "{{ nick | default: \"da\" }}"),
        ("{{ nick | default: ‘it’s you’ }}", "{{ nick | default: 'it’s you' }}"),
        ("{{ nick | default: ‘it's you’ }}", "{{ nick | default: \"it's you\" }}"),
        ("{{ nick | default: “say \"hi\"” }}", "{{ nick | default: 'say \"hi\"' }}"),
        ("{{ nick | default: «toi» }}", "{{ nick | default: \"toi\" }}"),
        ("{% if plan != «\u{A0}gold\u{A0}» %}a{% endif %}", "{% if plan != \"gold\" %}a{% endif %}"),
        ("{% if plan != « gold » %}a{% endif %}", "{% if plan != \"gold\" %}a{% endif %}"),
        ("{% if plan != ‹\u{202F}gold\u{202F}› %}a{% endif %}", "{% if plan != 'gold' %}a{% endif %}"),
        ("{% if a == \"x” or b != ”y\" %}c{% endif %}", "{% if a == \"x\" or b != \"y\" %}c{% endif %}"),
        ("{% if a == \"x» and b == «y\" %}c{% endif %}", "{% if a == \"x\" and b == \"y\" %}c{% endif %}"),
        ("{% if a == \"x″ or b ＝＝ ″y\" %}c{% endif %}", "{% if a == \"x\" or b == \"y\" %}c{% endif %}"),
        ("{% if a == \"x＂or b<＂y\" %}c{% endif %}", "{% if a == \"x\"or b<\"y\" %}c{% endif %}"),
        ("{% if a == \"x」 or b contains 「y\" %}c{% endif %}", "{% if a == \"x\" or b contains \"y\" %}c{% endif %}"),
        ("{% if a == 'x` or b != `y' %}c{% endif %}", "{% if a == 'x' or b != 'y' %}c{% endif %}"),
        ("{% if a == 'x´ or b != ´y' %}c{% endif %}", "{% if a == 'x' or b != 'y' %}c{% endif %}"),
        ("{{ a | default: \"x” | truncate: 5, ”y\" }}", "{{ a | default: \"x\" | truncate: 5, \"y\" }}"),
        ("{{ 'now' | date: '％Y年％m月％d日' }}", "{{ 'now' | date: '%Y年%m月%d日' }}"),
        ("{{ 'now' | date: \"％－ｄ．%m.\" }}", "{{ 'now' | date: \"%-d．%m.\" }}"),
        ("{{ a | default: \"％\" | date: '﹪Y ％％' }}", "{{ a | default: \"％\" | date: '%Y %%' }}"),
        ("{% if plan != None %}a{% endif %}", "{% if plan != nil %}a{% endif %}"),
        ("{% if b == True and c != FALSE %}a{% endif %}", "{% if b == true and c != false %}a{% endif %}"),
        ("{% if plan == NULL or plan == Nil %}a{% endif %}", "{% if plan == null or plan == nil %}a{% endif %}"),
        ("{% if a == – 1 %}x{% endif %}", "{% if a == -1 %}x{% endif %}"),
        ("{{ text | truncate: 10… }}", "{{ text | truncate: 10, \"…\" }}"),
        ("{ { nick } }", "{{ nick }}"), ("{\u{A0}{ nick }}", "{{ nick }}"), ("Hi { ｛nick｝ }!", "Hi {{nick}}!"),
        ("{{ nick | default: ‹toi› }}", "{{ nick | default: 'toi' }}"),
        ("{{ nick | default: 「朋友」 }}", "{{ nick | default: \"朋友\" }}"),
        ("{{ nick | default: 『朋友』 }}", "{{ nick | default: \"朋友\" }}"),
        ("{{ nick | default: ＂there＂ }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: ＇there＇ }}", "{{ nick | default: 'there' }}"),
        ("{{ nick | default: ″there″ }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick | default: ′there′ }}", "{{ nick | default: 'there' }}"),
        ("{{ nick | default: `there` }}", "{{ nick | default: 'there' }}"),
        ("{{ nick | default: ʼthereʼ }}", "{{ nick | default: 'there' }}"),
        ("{{ nick | default：\"there\" }}", "{{ nick | default:\"there\" }}"),
        ("{{ nick ｜ default: \"there\" }}", "{{ nick | default: \"there\" }}"),
        ("{{ nick ｜ default： “那里” }}", "{{ nick | default: \"那里\" }}"),
        ("{{ ｎｉｃｋ＿１ }}", "{{ nick_1 }}"), ("{{ address．city }}", "{{ address.city }}"),
        ("{{ address。city }}", "{{ address.city }}"),
        ("{{ text | truncate: ２０， …｝｝", "{{ text | truncate: 20, \"…\"}}"),
        ("{{ text | truncate: 20、\"-\" }}", "{{ text | truncate: 20,\"-\" }}"),
        ("{{ attributes［\"a b\"］ }}", "{{ attributes[\"a b\"] }}"),
        ("{% if a ＝＝ 1 and b ！= 2 or c ＞ 3 %}x{% endif %}", "{% if a == 1 and b != 2 or c > 3 %}x{% endif %}"),
        ("{% if a ≠ 1 and b ≤ 2 and c ≥ 3 %}x{% endif %}", "{% if a != 1 and b <= 2 and c >= 3 %}x{% endif %}"),
        ("{% if a == −1 %}x{% endif %}", "{% if a == -1 %}x{% endif %}"),
        ("{% if a == “x” or a == ”y“ %}b{% endif %}", "{% if a == \"x\" or a == \"y\" %}b{% endif %}"),
        ("{% if a == \"x” or a == “y\" %}b{% endif %}", "{% if a == \"x\" or a == \"y\" %}b{% endif %}"),
        ("{% if a == 'x’ or a == ‘y' %}b{% endif %}", "{% if a == 'x' or a == 'y' %}b{% endif %}"),
        ("{% if a == \"x“ and b != „y\" %}b{% endif %}", "{% if a == \"x\" and b != \"y\" %}b{% endif %}"),
        ("a {{– nick –}} b", "a {{- nick -}} b"), ("a {{— nick }} b", "a {{- nick }} b"),
        ("a {%– if b –%}c{%− endif −%}", "a {%- if b -%}c{%- endif -%}"),
        ("{%－ if b %}c{% endif %}", "{%- if b %}c{% endif %}"),
        ("{% ｉｆ b %}c{% ｅｎｄｉｆ %}", "{% if b %}c{% endif %}"),
        ("{{ ni\u{200B}ck }}", "{{ nick }}"), ("{{ \u{FEFF}nick }}", "{{ nick }}"),
        ("{{ nick\u{2060} }}", "{{ nick }}"),
        ("{{ ni\u{AD}ck }}", "{{ nick }}"), ("{{ \u{200E}nick\u{200F} }}", "{{ nick }}"),
        ("{{ \u{2066}nick\u{2069} }}", "{{ nick }}"), ("{{ nick\u{FE0F} }}", "{{ nick }}"),
        ("{{ \u{3164}nick }}", "{{ nick }}"), ("{{ nick\u{200D} }}", "{{ nick }}"), ("{{\u{200D}nick }}", "{{nick }}"),
        ("{%\u{FEFF}if b %}c{% endif %}", "{%if b %}c{% endif %}"),
        ("{% i\u{200B}f b %}c{% endif %}", "{% if b %}c{% endif %}"),
        ("Hi ｛｛ nick ｝｝!", "Hi {{ nick }}!"), ("Hi {｛ nick }}!", "Hi {{ nick }}!"),
        ("Hi ｛{ nick }｝!", "Hi {{ nick }}!"),
        ("{\u{200B}{ nick }}", "{{ nick }}"), ("{{ nick }｝", "{{ nick }}"), ("{{ nick ｝｝", "{{ nick }}"),
        ("｛｛ nick ｜ default： “朋友” ｝｝", "{{ nick | default: \"朋友\" }}"),
        ("｛％ if b ％｝c｛% endif %｝", "{% if b %}c{% endif %}"), ("{％ if b %}c", "{% if b %}c"),
    ])
    func lookalikesAreMendedByOneFixForEachTag(template: String, expected: String) {
        #expect(!errors(template).isEmpty || !LiquidLookalike.problems(in: template, at: "").isEmpty)
        #expect(mended(template) == expected)
        // c alone has no endif.
        #expect(template.hasPrefix("{％ if b %}c") || errors(expected).isEmpty, "\(errors(expected))")
    }

    @Test(arguments: [
        "{{ 名字 }}", "{{ имя }}", "{{ prénom }}", "{{ pre\u{301}nom }}", "{{ नाम }}", "{{ ชื่อ }}", "{{ اسم }}", "{{ 이름 }}",
        "{{ ｶﾅ }}", "{{ スーパー }}", "{{ می\u{200C}خواهم }}", "{{ क्\u{200D}ष }}", "{{ пʼять }}", "{{ خانه۲ }}",
        "{{ first-name }}",
        "{{ a.名字.b }}", "{{ attributes[\"“there”\"] }}", "{{ a | default: \"“Hi” – ｛a｝ \u{200B}…\" }}",
        "{{ a | default: 'x：' }}",
        // White space of other kinds separates as a space does.
        "{{\u{A0}nick\u{A0}|\u{3000}default:\u{2009}'a'\u{202F}}}",
        "{%\u{3000}if nick\u{A0}%}a{% else\u{A0}%}b{% endif\u{3000}%}",
        "{{ nick | default: \"say “hi” to „Bob“ or “Eve”\" }}", "{{ nick | default: \"it’s ‘you’\" }}",
        "{{ nick | default: \"‘x’ or ’y‘\" }}", "{{ nick | default: '”x” or ”y”' }}",
        "{{ nick\u{2028}}}", "{{-\u{A0}nick\u{A0}-}}",
        "{{ nick | default: \"5” or 6”\" }}", "{{ nick | default: \"“a”, “b” and “c”\" }}",
        "{{ nick | default: \" a \" }}", "{{ nick | default: 'None' }}", "{{ address.None }}", "{{ None.a }}",
        "{{ 'now' | date: '100 %% — %Y' }}", "{{ nick | default: \"100％\" }}", "{ a { b } }",
    ])
    func namesInAnyLanguageAndSpacesOfAnyKindAreValid(template: String) {
        #expect(errors(template) == [])
        #expect(LiquidLookalike.problems(in: template, at: "").isEmpty || template.contains("｛"))
    }

    @Test(arguments: [
        ("{{ “a” }}", 3, "“ (curly quote) must not stand here: write \""),
        ("{{ a ：b }}", 5, "： (full-width colon) must not stand here: write :"),
        (
            "{{ a\u{200B} }}", 4, "the invisible character zero width space (U+200B) must not stand here: remove it"
        ),
        (
            "{{ a 😀 }}", 5,
            "😀 (grinning face) is not allowed here; a name with it must be in quotes and brackets, like attributes[\"😀\"]"
        ),
        ("{{ a }｝", 0, "the {{ has no }} that closes it; }｝ only looks like it"),
    ])
    func anErrorNamesTheCharacterAndTheRemedy(template: String, offset: Int, message: String) {
        #expect(errors(template).map { "\($0.offset) \($0.message)" } == ["\(offset) \(message)"])
    }

    /// A template that ran with `{% if plan != “gold” %}` would address everybody.
    @Test func contentWithCurlyQuotesIsRefused() {
        let report = TemplateContent(payload: ["aps": ["alert": "{% if plan != “gold” %}Join{% endif %}"]])
            .report(in: ContentContext())

        #expect(report.hasErrors)
        #expect(report.problems.map(\.path) == ["payload.aps.alert"])
        #expect(report.problems.first?.fix?.from == "{% if plan != “gold” %}")
    }

    /// The condition would be one for everybody.
    @Test func marksOfAnotherKindAreErrorsToo() {
        #expect(errors("{% if a == \"x’ or b != ‘y\" %}c{% endif %}").map(\.code) == ["wrong-character"])
    }

    @Test func bracesThatOnlyLookLikeLiquidAreWarnedOf() {
        let report = TemplateContent(payload: ["aps": ["alert": ["title": "Hi ｛｛ name ｝｝", "body": "Read 《a》｛b｝"]]])
            .report(in: ContentContext())

        #expect(report.problems.map { "\($0.severity) \($0.path)" } == ["warning payload.aps.alert.title"])
        #expect(report.problems.first?.fix == Problem.Fix(from: "｛｛ name ｝｝", to: "{{ name }}"))
    }

    /// Its marks would be compared with each other for a long time.
    @Test func anEndlessTagHasNoFix() {
        let found = errors("{{ a | default: " + String(repeating: "“", count: 10_000) + " }}")

        #expect(found.map(\.code) == ["wrong-character"])
        #expect(found.first?.fix == nil)
    }

    @Test(arguments: [
        ("“there”", "attributes[\"“there”\"]"), ("first name", "attributes[\"first name\"]"),
        ("a\u{A0}b", "attributes[\"a\u{A0}b\"]"), ("名字", "名字"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("a\u{200B}", "attributes[\"a\u{200B}\"]"),
    ])
    func aFieldIsWrittenAsATemplateReadsIt(name: String, expected: String) throws {
        let field = Field.attribute([name])

        #expect(field.description == expected)
        let template = try LiquidTemplate(parsing: "{{ \(field) }}")
        #expect(template.onlyOutput?.value == .field(field))
    }
}
