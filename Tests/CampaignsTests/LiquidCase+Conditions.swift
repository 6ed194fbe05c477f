extension LiquidCase {
    /// A condition, and whether it holds.
    private static func holds(_ condition: String, _ data: String, _ holds: Bool) -> LiquidCase {
        .same("{% if \(condition) %}yes{% else %}no{% endif %}", data, holds ? "yes" : "no")
    }

    private static func differs(
        _ condition: String, _ data: String, _ holds: Bool, python: String?, _ why: String
    ) -> LiquidCase {
        .differs("{% if \(condition) %}yes{% else %}no{% endif %}", data, holds ? "yes" : "no", python: python, why)
    }

    static let conditions: [LiquidCase] = [
        holds("x", "{}", false), holds("x", #"{"x":null}"#, false), holds("x", #"{"x":false}"#, false),
        holds("x", #"{"x":true}"#, true), holds("x", #"{"x":""}"#, true), holds("x", #"{"x":0}"#, true),
        holds("x", #"{"x":[]}"#, true), holds("x", #"{"x":{}}"#, true), holds("x", #"{"x":"false"}"#, true),
        holds("x.y", #"{"x":{"y":1}}"#, true), holds("x.y", #"{"x":1}"#, false),
        holds("true", "{}", true), holds("nil", "{}", false), holds("'a'", "{}", true),
        holds("x == 'gold'", #"{"x":"gold"}"#, true), holds("x == \"gold\"", #"{"x":"Gold"}"#, false),
        holds("x != 'gold'", #"{"x":"silver"}"#, true), holds("x <> 'gold'", #"{"x":"gold"}"#, false),
        holds("x != 'gold'", "{}", true), holds("x == nil", "{}", true), holds("x == null", #"{"x":""}"#, false),
        holds("x == y", "{}", true), holds("x == y", #"{"x":"a","y":"a"}"#, true),
        holds("x == 5", #"{"x":5}"#, true), holds("x == 5", #"{"x":5.0}"#, true), holds("x == 5", #"{"x":"5"}"#, false),
        holds("x == '5'", #"{"x":5}"#, false), holds("x == true", #"{"x":true}"#, true),
        holds("x == 'true'", #"{"x":true}"#, false), holds("x == true", #"{"x":1}"#, false),
        holds("x == 'Grüße'", #"{"x":"Gr\u00fc\u00dfe"}"#, true), holds("x == '🔔'", #"{"x":"\ud83d\udd14"}"#, true),
        holds("x > 5", #"{"x":6}"#, true), holds("x > 5", #"{"x":5}"#, false), holds("x >= 5", #"{"x":5}"#, true),
        holds("x < 5.5", #"{"x":5}"#, true), holds("x <= -1", #"{"x":-1.0}"#, true), holds("5 < x", #"{"x":6}"#, true),
        holds("x > 9007199254740992", #"{"x":9007199254740993}"#, true),
        holds("x < 5", "{}", false), holds("x > 5", "{}", false), holds("x >= 5", #"{"x":null}"#, false),
        holds("x < 'b'", #"{"x":"a"}"#, true), holds("x < 'a'", #"{"x":"aa"}"#, false),
        holds("x > 'a'", #"{"x":"é"}"#, true), holds("x <= 'a'", #"{"x":"a"}"#, true),
        holds("x >= 5", #"{"x":"6"}"#, false),
        differs("x > 5", #"{"x":"6"}"#, false, python: nil, "different kinds have no order"),
        differs("x > 5", #"{"x":[6]}"#, false, python: nil, "different kinds have no order"),
        holds("x contains 'ann'", #"{"x":"Joanna"}"#, true), holds("x contains 'Ann'", #"{"x":"Joanna"}"#, false),
        holds("x contains 'é'", #"{"x":"caf\u00e9"}"#, true), holds("x contains ''", #"{"x":"a"}"#, true),
        holds("x contains 'a'", "{}", false), holds("x contains y", #"{"x":"a"}"#, false),
        holds("x contains 1", #"{"x":"a1"}"#, true), holds("x contains 'vip'", #"{"x":["new","vip"]}"#, true),
        holds("x contains 'v'", #"{"x":["new","vip"]}"#, false), holds("x contains 2", #"{"x":[1,2.0]}"#, true),
        holds("x contains '2'", #"{"x":[1,2]}"#, false), holds("x contains 'a'", #"{"x":[]}"#, false),
        holds("x contains 'a\\'", #"{"x":["a\\"]}"#, true), holds("x contains ','", #"{"x":["a",",","]"]}"#, true),
        holds("x contains ']'", #"{"x":[["]"],{"a":"]"}]}"#, false),
        holds("x contains y", #"{"x":["ä\n"],"y":"ä\n"}"#, true),
        differs("x contains 'a'", #"{"x":{"a":1}}"#, false, python: "yes", "an object contains nothing"),
        differs("x contains 'a'", #"{"x":5}"#, false, python: nil, "a number contains nothing"),
        holds("x == empty", #"{"x":""}"#, true), holds("x == empty", #"{"x":" "}"#, false),
        holds("x == empty", #"{"x":[]}"#, true), holds("x == empty", #"{"x":[ 1 ]}"#, false),
        holds("x == empty", #"{"x":{}}"#, true), holds("x == empty", "{}", false),
        holds("x != empty", #"{"x":"a"}"#, true),
        holds("x == blank", #"{"x":""}"#, true), holds("x == blank", #"{"x":" \n"}"#, true),
        holds("x == blank", #"{"x":"a"}"#, false), holds("blank == x", #"{"x":""}"#, true),
        holds("x != blank", #"{"x":"a"}"#, true), holds("x == blank", #"{"x":0}"#, false),
        differs("x == blank", "{}", true, python: "no", "nothing is blank, as Shopify has it"),
        differs("x == blank", #"{"x":false}"#, true, python: "no", "false is blank, as Shopify has it"),
        holds("true and false", "{}", false), holds("true or false", "{}", true),
        holds("x and y", #"{"x":1,"y":2}"#, true), holds("x and y", #"{"x":1}"#, false),
        holds("x or y", #"{"y":1}"#, true), holds("x or y", "{}", false),
        // From the right, without precedence.
        holds("true or false and false", "{}", true), holds("false and false or true", "{}", false),
        holds("true and false or true", "{}", true), holds("false or true and false", "{}", false),
        holds("false and true or true and true", "{}", false), holds("x == 1 and y == 2 or z", #"{"x":1,"z":1}"#, true),
        differs("os_version >= '17.4'", #"{"os_version":"9.3"}"#, false, python: "yes", "versions have parts"),
        differs("os_version >= '17.4'", #"{"os_version":"17.10"}"#, true, python: "no", "versions have parts"),
    ]

    static let blocks: [LiquidCase] = [
        .same("{% if a %}1{% elsif b %}2{% elsif c %}3{% else %}4{% endif %}", #"{"a":1,"b":1}"#, "1"),
        .same("{% if a %}1{% elsif b %}2{% elsif c %}3{% else %}4{% endif %}", #"{"b":1,"c":1}"#, "2"),
        .same("{% if a %}1{% elsif b %}2{% elsif c %}3{% else %}4{% endif %}", #"{"c":1}"#, "3"),
        .same("{% if a %}1{% elsif b %}2{% elsif c %}3{% else %}4{% endif %}", "{}", "4"),
        .same("a{% if x %}b{% endif %}c", "{}", "ac"),
        .same("{% if a %}{% if b %}1{% else %}2{% endif %}{% else %}3{% endif %}", #"{"a":1}"#, "2"),
        .same("{% if a %}{{ b }}{% endif %}!", "{}", "!"),
        .same("{% if name %}Hi {{ name }}{% else %}Hi{% endif %}!", #"{"name":"Anna"}"#, "Hi Anna!"),
        .same("{%if a%}x{%endif%}", #"{"a":1}"#, "x"),
        .same("a {%- if x -%} b {%- endif -%} c", #"{"x":1}"#, "abc"),
        .same("a {{- x -}} b", #"{"x":1}"#, "a1b"),
        .same("a \n{{- x }} b", #"{"x":1}"#, "a1 b"),
        .same("a {{ x -}} \n b", #"{"x":1}"#, "a 1b"),
        .same("a {%- comment %} b {% endcomment -%} c", "{}", "ac"),
        .same("a{% comment %}{{ oops {% if %} {% endcomment %}c", "{}", "ac"),
        .same("a{% comment %}1{% comment %}2{% endcomment %}3{% endcomment %}c", "{}", "ac"),
        .same("a{% # remark %}b", "{}", "ab"),
        .same("{% raw %}{{ name }} {% if %}{% endraw %}!", "{}", "{{ name }} {% if %}!"),
        .same("{% raw %}{% endraw %}x", "{}", "x"),
        // White space alone in a block is not written.
        .same("a{% if x %} {% else %}\n{% endif %}b", #"{"x":1}"#, "ab"),
        .same("a{% if x %} {% else %}!{% endif %}b", #"{"x":1}"#, "a b"),
        .same("{% if x %}\"{\\}\"{% endif %}", #"{"x":1}"#, #""{\}""#),
    ]
}
