const { attributeName, columnsParameter, headerOf, initialMapping, problemCount } = await import(
  "/js/import/mapping.js"
);

const column = (name, becomes, more = {}) => ({
  name,
  becomes,
  recognition: becomes ? "known" : "unknown",
  suggestion: null,
  values: [],
  ...more,
});

return {
  "a file whose names are known needs no other header": () => {
    const columns = [
      column("Token", "token"),
      column("", null, { recognition: "unnamed" }),
      column("attr.n:number", "attr.n:number"),
    ];
    equal(columnsParameter(columns, initialMapping(columns), "csv"), undefined);
  },
  "unknown columns are left out, and probable names are guesses": () => {
    const columns = [column("tokne", null, { suggestion: "token" }), column("Stadt", null)];
    const mapping = initialMapping(columns);
    equal(mapping.map(({ becomes, isGuess }) => [becomes, isGuess]), [["token", true], ["", false]]);
    equal(columnsParameter(columns, mapping, "csv"), "token,");
  },
  "a guess does not take what another column is": () => {
    const columns = [column("token", "token"), column("tokne", null, { suggestion: "token" })];
    equal(initialMapping(columns)[1].becomes, "");
  },
  "attributes have a name and a type": () => {
    equal(headerOf({ becomes: "attr.", name: "city", type: "text" }), "attr.city");
    equal(headerOf({ becomes: "person.attr.", name: "age", type: "number" }), "person.attr.age:number");
    equal(initialMapping([column("x", "person.attr.age:number")])[0], {
      becomes: "person.attr.",
      name: "age",
      type: "number",
      isGuess: false,
    });
    equal(attributeName(" Umsatz 2026"), "umsatz_2026");
  },
  "names with commas are quoted": () => {
    const columns = [column("x", null)];
    equal(columnsParameter(columns, [{ becomes: "attr.", name: "a,b", type: "text" }], "csv"), '"attr.a,b"');
  },
  "members of JSON are named with their columns": () => {
    const columns = [column("tokne", null, { suggestion: "token" }), column("shoe size", null)];
    equal(columnsParameter(columns, initialMapping(columns), "ndjson"), "tokne=token,shoe size=");
  },
  "a column has the problems of its own name": () => {
    const failures = [{ problems: [{ path: "token" }] }, { problems: [{ path: "attr.n" }, { path: "token" }] }];
    equal(problemCount({ failures }, { becomes: "token" }), 2);
    equal(problemCount({ failures }, { becomes: "attr.", name: "n", type: "number" }), 1);
    equal(problemCount({ failures }, { becomes: "" }), 0);
  },
};
