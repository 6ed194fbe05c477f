/// A row of the table that is run through Belfry and through python-liquid.
struct LiquidCase: Sendable, CustomStringConvertible {
    let template: String
    /// JSON: attributes, and columns of the device by their names.
    let data: String
    /// Nil where Belfry says that a value is missing or not usable.
    let belfry: String?
    /// The text that python-liquid writes, where it is another one. Nil there: python-liquid refuses the template.
    let python: String??
    let why: String

    private init(_ template: String, _ data: String, _ belfry: String?, _ python: String??, _ why: String) {
        self.template = template
        self.data = data
        self.belfry = belfry
        self.python = python
        self.why = why
    }

    static func same(_ template: String, _ data: String, _ text: String) -> LiquidCase {
        LiquidCase(template, data, text, nil, "")
    }

    /// `python` nil: it refuses to render.
    static func differs(
        _ template: String, _ data: String, _ belfry: String?, python: String?, _ why: String
    ) -> LiquidCase {
        LiquidCase(template, data, belfry, .some(python), why)
    }

    var description: String { "\(template) \(data)" }

    static let all = placeholders + filters + dates + conditions + blocks
    static let missing = "a missing value suppresses the recipient"

    private static let placeholders: [LiquidCase] = [
        .same("Hi", "{}", "Hi"),
        .same("Hi {{ name }}!", #"{"name":"Anna"}"#, "Hi Anna!"),
        .same("{{name}}", #"{"name":"Anna"}"#, "Anna"),
        .same("{{   name\n }}", #"{"name":"Anna"}"#, "Anna"),
        .same("{{ first-name }}", #"{"first-name":"Anna"}"#, "Anna"),
        .same("{{ größe }}", #"{"größe":"XL"}"#, "XL"),
        .same("{{ a.b.c }}", #"{"a":{"b":{"c":"deep"}}}"#, "deep"),
        .same("{{ a[\"b c\"] }}", #"{"a":{"b c":"x"}}"#, "x"),
        .same("{{ a['b'].c }}", #"{"a":{"b":{"c":"x"}}}"#, "x"),
        .same("{{ attributes.name }}", #"{"name":"Anna"}"#, "Anna"),
        .same("{{ locale }} {{ language }}", #"{"locale":"zh-Hant-HK"}"#, "zh-Hant-HK zh"),
        .same("{{ n }}", #"{"n":5}"#, "5"),
        .same("{{ n }}", #"{"n":-0.5}"#, "-0.5"),
        .differs("{{ n }}", #"{"n":5.0}"#, "5", python: "5.0", "numbers are judged by their value"),
        .same("{{ n }}", #"{"n":11153971268435968}"#, "11153971268435968"),
        .same("{{ yes }} {{ no }}", #"{"yes":true,"no":false}"#, "true false"),
        .same("{{ 'a' }}{{ \"b\" }}{{ 3 }}{{ -1.5 }}{{ true }}", "{}", "ab3-1.5true"),
        .same("{{ name }}", #"{"name":"„Ä\"\\\n\t\u0001 🔔"}"#, "„Ä\"\\\n\t\u{1} 🔔"),
        .same("{{ name }}", #"{"name":"<b>&amp;</b>"}"#, "<b>&amp;</b>"),
        .same("{{ name }}", #"{"name":" "}"#, " "),
        .same("} }} %} { {x", "{}", "} }} %} { {x"),
        .same("{{ name }}", #"{"name":"{{ other }}{% if %}"}"#, "{{ other }}{% if %}"),
        .differs("Hi {{ name }},", "{}", nil, python: "Hi ,", missing),
        .differs("Hi {{ name }},", #"{"name":null}"#, nil, python: "Hi ,", missing),
        .differs("Hi {{ name }},", #"{"name":""}"#, nil, python: "Hi ,", missing),
        .differs("{{ a.b }}", #"{"a":"text"}"#, nil, python: "", missing),
        .differs("{{ tags }}", #"{"tags":["a","b"]}"#, nil, python: "ab", "a list is no text"),
        .differs("{{ name | upcase }}", "{}", nil, python: "", missing),
    ]

    private static let filters: [LiquidCase] = [
        .same("{{ name | default: 'there' }}", "{}", "there"),
        .same("{{ name | default: \"there\" }}", #"{"name":null}"#, "there"),
        .same("{{ name | default: 'there' }}", #"{"name":""}"#, "there"),
        .same("{{ name | default: 'there' }}", #"{"name":"Anna"}"#, "Anna"),
        .same("{{ name | default: 'there' }}", #"{"name":" "}"#, " "),
        .same("{{ n | default: 'x' }}", #"{"n":0}"#, "0"),
        .same("{{ flag | default: 'x' }}", #"{"flag":false}"#, "x"),
        .same("{{ tags | default: 'none' }}", #"{"tags":[]}"#, "none"),
        .same("{{ name | default: '' }}!", "{}", "!"),
        .same("{{ name | default: 7 }}", "{}", "7"),
        .same("{{ nick | default: name }}", #"{"name":"Anna"}"#, "Anna"),
        .same("{{ nick | default: name | default: 'x' }}", "{}", "x"),
        .same("{{ name | upcase | default: 'x' }}", "{}", "x"),
        .differs("{{ tags | default: 'none' }}", #"{"tags":["a"]}"#, "none", python: "a", "a list is no text"),
        .same("{{ name | upcase }}", #"{"name":"Straße"}"#, "STRASSE"),
        .same("{{ name | upcase }}", #"{"name":"éàñ ǆ ﬁ ŉ ΐ"}"#, "ÉÀÑ Ǆ FI ʼN Ϊ́"),
        .same("{{ name | downcase }}", #"{"name":"ÉCOLE İ ΟΔΟΣ ΣΑΣ"}"#, "école i̇ οδος σας"),
        .same("{{ name | capitalize }}", #"{"name":"anna MARIA"}"#, "Anna maria"),
        .same("{{ name | capitalize }}", #"{"name":"ΓΙΏΡΓΟΣ"}"#, "Γιώργος"),
        .same("{{ name | capitalize }}", #"{"name":"ǆemper"}"#, "ǅemper"),
        .same("{{ name | capitalize }}", #"{"name":"ßa"}"#, "Ssa"),
        .same("{{ name | capitalize }}", #"{"name":" anna"}"#, " anna"),
        .same("{{ name | upcase }}", #"{"name":"日本語 🔔 한"}"#, "日本語 🔔 한"),
        .same("{{ n | upcase }}", #"{"n":5}"#, "5"),
        .same("{{ flag | upcase }}", #"{"flag":true}"#, "TRUE"),
        .same("{{ name | truncate: 5 }}", #"{"name":"Alexandra"}"#, "Al..."),
        .same("{{ name | truncate: 5, '' }}", #"{"name":"Alexandra"}"#, "Alexa"),
        .same("{{ name | truncate: 5, '…' }}", #"{"name":"Alexandra"}"#, "Alex…"),
        .same("{{ name | truncate: 20 }}", #"{"name":"Alexandra"}"#, "Alexandra"),
        .same(
            "{{ name | truncate }}", #"{"name":"\#(String(repeating: "abcdefghij", count: 6))"}"#,
            String(repeating: "abcdefghij", count: 4) + "abcdefg..."),
        .same("{{ name | truncate: 4, '…' }}", #"{"name":"日本語日本語"}"#, "日本語…"),
        .same("{{ n | truncate: 4 }}", #"{"n":123456}"#, "1..."),
        .differs(
            "{{ name | truncate: 5 }}", #"{"name":"Alexa"}"#, "Alexa", python: "Al...",
            "Liquid cuts only what is longer"),
        .differs(
            "{{ name | truncate: 2 }}", #"{"name":"Alexandra"}"#, "...", python: "Alexandr...",
            "a length below the ellipsis's leaves the ellipsis, as in Liquid"),
        .differs(
            "{{ name | truncate: 2, '' }}", #"{"name":"👨‍👩‍👧‍👦👍🏽b"}"#, "👨‍👩‍👧‍👦👍🏽",
            python: "👨\u{200D}", "no emoji is cut in two"),
        .same("{{ name | upcase | truncate: 6, '!' | downcase }}", #"{"name":"Alexandra"}"#, "alexa!"),
    ]

    private static let dates: [LiquidCase] = [
        .same("{{ d | date: '%d.%m.%Y' }}", #"{"d":"2026-03-01"}"#, "01.03.2026"),
        .same("{{ d | date: '%-d %B %Y, %A' }}", #"{"d":"2026-03-01"}"#, "1 March 2026, Sunday"),
        .same("{{ d | date: '%a %b %e %y %j %u %w %h' }}", #"{"d":"2024-12-31"}"#, "Tue Dec 31 24 366 2 2 Dec"),
        .same("{{ d | date: '%e|%k|%l' }}", #"{"d":"2026-03-01T05:04:03"}"#, " 1| 5| 5"),
        .same("{{ d | date: '%H:%M:%S %I %p %P' }}", #"{"d":"2026-03-01T18:30:05"}"#, "18:30:05 06 PM pm"),
        .same("{{ d | date: '%I:%M %p' }}", #"{"d":"2026-03-01T00:05:00"}"#, "12:05 AM"),
        .same("{{ d | date: '%F %T %R %D' }}", #"{"d":"2026-03-01T18:30:05"}"#, "2026-03-01 18:30:05 18:30 03/01/26"),
        .same("{{ d | date: '%F %R' }}", #"{"d":"2026-03-01 18:30"}"#, "2026-03-01 18:30"),
        .same("{{ d | date: '%F %R' }}", #"{"d":"2026-03-01T18:30:05Z"}"#, "2026-03-01 18:30"),
        .same("{{ d | date: '%F %R' }}", #"{"d":"2026-03-01T18:30:05.123Z"}"#, "2026-03-01 18:30"),
        .same("{{ d | date: '%F %T' }}", #"{"d":1772389805}"#, "2026-03-01 18:30:05"),
        .same("{{ d | date: '%F %T' }}", #"{"d":"1772389805"}"#, "2026-03-01 18:30:05"),
        .same("{{ d | date: '%F' }}", #"{"d":-86400}"#, "1969-12-31"),
        .same("{{ d | date: '%d%%' }}", #"{"d":"2026-03-01"}"#, "01%"),
        .differs("{{ d | date: '%B' }}", #"{"d":"soon"}"#, nil, python: "soon", "what is no date is not written"),
        .same("{{ 'soon' | date: '%B' }}", "{}", "soon"),
        .same("{{ d | date: 'Täglich' }}", #"{"d":"2026-03-01"}"#, "Täglich"),
        // A filter that has nothing to do leaves the text where it stands; the next must not write over it.
        .same("{{ 'ŉŉŉŉŉ' | date: '%F' | upcase }}", "{}", "ʼNʼNʼNʼNʼN"),
        .same("{{ d | date: '%b' | upcase }}", #"{"d":"2026-03-01"}"#, "MAR"),
        .same("{{ d | default: '2026-01-02' | date: '%F' }}", "{}", "2026-01-02"),
        .differs(
            "{{ d | date: '%F %R' }}", #"{"d":"2026-03-01T18:30:05+02:00"}"#, "2026-03-01 16:30",
            python: "2026-03-01 18:30", "a moment is shown in the recipient's time zone, here UTC"),
        .differs(
            "{{ d | date: '%F' }}", #"{"d":1772389805000}"#, "2026-03-01", python: nil,
            "milliseconds are known by their size"),
        .differs(
            "{{ d | date: '%F' }}", #"{"d":"March 1, 2026"}"#, nil, python: "2026-03-01",
            "only ISO 8601 and Unix time are read"),
    ]
}
