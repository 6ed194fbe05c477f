const { linkOf, linkProblem, secured, withLink } = await import("/js/content/tap.js");

return {
  "a link is found by a usual name, or as the first address that is no file": () =>
    equal(
      [
        { aps: {}, image: "https://a.example/a.png", link: "bells://c/42" },
        { image: "https://a.example/a.png?w=2", go: "bells://c/42", other: "https://b.example" },
        { url: "{{ page }}" },
        { image: "https://a.example/a.png", id: 3, link: "" },
      ].map((each) => linkOf(each)),
      [
        { key: "link", link: "bells://c/42" },
        { key: "go", link: "bells://c/42" },
        { key: "url", link: "{{ page }}" },
        null,
      ],
    ),
  "the key that is known comes first": () =>
    equal(linkOf({ link: "bells://a", go: "b" }, "go"), { key: "go", link: "b" }),
  "a link is put under its key, and goes": () =>
    equal(
      [withLink({ aps: {}, link: "bells://a" }, "link", "bells://b"), withLink({ aps: {}, link: "a" }, "link", "")],
      [
        { aps: {}, link: "bells://b" },
        { aps: {} },
      ],
    ),
  "links that phones can open are no problem": () =>
    equal(
      ["bells://c/42", "https://a.example/{{ user_id }}?a=b+c", "tel:123", "{{ link }}", "a-b+c:x"]
        .map(
          linkProblem,
        ),
      [null, null, null, null, null],
    ),
  "links that they can't open have a reason": () =>
    equal(
      ["a.example/x", "tonight", "bells://a b", "http://a.example", "javascript:alert(1)", "https://", "a.example:80/x"]
        .map(linkProblem),
      ["scheme", "scheme", "space", "insecure", "address", "address", "scheme"],
    ),
  "https is offered where it may be meant": () =>
    equal(["a.example/x", "http://a.example", "tonight", "bells://a"].map(secured), [
      "https://a.example/x",
      "https://a.example",
      null,
      null,
    ]),
};
