const { fallbackIn, placeholder } = await import("/js/content/placeholder.js");
const { render } = await import("/js/content/liquid.js");

return {
  "a placeholder has the fallback that was asked for": () =>
    equal([placeholder("first_name", "there"), placeholder("first_name"), placeholder("first name", "you")], [
      '{{ first_name | default: "there" }}',
      "{{ first_name }}",
      '{{ attributes["first name"] | default: "you" }}',
    ]),
  "a fallback with quotes and braces can be read again": () =>
    equal(
      ['the "best"', "ringer's", `a "bell"'s`, "{{ x }}"].map((each) => render(placeholder("name", each), {})),
      ['the "best"', "ringer's", "a ”bell”'s", " x "],
    ),
  "the fallback that a text has already is found": () =>
    equal(
      ["first_name", "first", "city", "first name"].map((name) =>
        fallbackIn(
          `{{ first_name | default: "there" }}, {{city|default:'town'|upcase}} ` +
            '{{ attributes["first name"] | default: "you" }}',
          name,
        )
      ),
      ["there", "", "town", "you"],
    ),
};
