const { isLiquid, nameAt, render, written } = await import("/js/content/liquid.js");
const mei = { first_name: "Mei", visits: 1234.5, plan: "vip", tags: ["new"], is_member: false };

return {
  "a text without braces stays as it is": () =>
    equal([render("Hi { you }", mei), isLiquid("Hi { you }")], ["Hi { you }", false]),
  "a missing value shows its name, and a default takes its place": () =>
    equal([render("Hi {{ nickname }}", mei), render('Hi {{ nickname | default: "there" }}', mei)], [
      "Hi ⟨nickname⟩",
      "Hi there",
    ]),
  "a default is not used for a value that is there": () =>
    equal(render('{{ first_name | default: "there" }}', mei), "Mei"),
  "filters are used from left to right": () => equal(render("{{ first_name | upcase | truncate: 2 }}", mei), "ME"),
  "numbers are written in the reader's language": () =>
    equal([render("{{ visits | number: 1 }}", mei, "de"), render("{{ visits | number: 1 }}", mei, "en")], [
      "1.234,5",
      "1,234.5",
    ]),
  "one branch of an if shows": () => {
    const text = '{% if plan == "vip" %}A{% elsif visits > 5 %}B{% else %}C{% endif %}';
    equal([render(text, mei), render(text, { visits: 9 }), render(text, {})], ["A", "B", "C"]);
  },
  "an if inside of a branch that is hidden shows nothing": () =>
    equal(render("{% if nobody %}{% if plan %}A{% else %}B{% endif %}{% endif %}.", mei), "."),
  "false and absent are not true, an empty text is": () => {
    const text = "{% if value %}yes{% else %}no{% endif %}";
    equal([false, undefined, "", 0].map((value) => render(text, { value })), ["no", "no", "yes", "yes"]);
  },
  "contains looks into lists and texts": () =>
    equal(render('{% if tags contains "new" and plan contains "ip" %}yes{% endif %}', mei), "yes"),
  "a dash in a brace takes the space beside it": () => equal(render("A {{- first_name -}} B", mei), "AMeiB"),
  "a comment shows nothing": () => equal(render("A{% comment %}B{% endcomment %}C", mei), "AC"),
  "a value with braces is not read again": () =>
    equal(render("{{ first_name }}", { first_name: "{{ plan }}" }), "{{ plan }}"),
  "signs that only look like those of Liquid are not read, as on the server": () => {
    const texts = [
      "{% if plan != “gold” %}a{% endif %}",
      '{{ nick | default： "a" }}',
      "{{ ni\u200bck }}",
      "{{ ｎick }}",
    ];
    equal(texts.map((text) => render(text, { plan: "gold", nick: "Mei" })), [
      "{% if plan != “gold” %}a",
      ...texts.slice(1),
    ]);
  },
  "names in any language, other spaces and anything between quotes are read": () =>
    equal([
      render("{{\u00a0名字\u3000}}", { 名字: "美" }),
      render('{{ a | default: "“x” ：" }}', {}),
      render('{{ attributes["first name"] }}', { "first name": "Mei" }),
    ], ["美", "“x” ：", "Mei"]),
  "an attribute's name is put into quotes and brackets where it must be": () =>
    equal(["first_name", "address.city", "名字", "first name", "“there”"].map(written), [
      "first_name",
      "address.city",
      "名字",
      'attributes["first name"]',
      'attributes["“there”"]',
    ]),
  "the name before the caret is found inside of braces only": () =>
    equal([nameAt("Hi {{ fir", 9), nameAt("Hi {{ first_name }} you", 23), nameAt("fir", 3)], [
      { start: 6, typed: "fir" },
      null,
      null,
    ]),
};
