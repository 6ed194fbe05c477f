const trees = await import("/js/audience/tree.js");
const tag = (name) => ({ tag: name });
const language = { field: "language", op: "is", value: "de" };
const through = (audience) => trees.toAudience(trees.fromAudience(audience));
const [a, b, c] = ["a", "b", "c"].map((name) => trees.condition(tag(name)));
const inner = trees.group("any", [b, c]);
const tree = { include: trees.group("all", [a, inner]), exclude: trees.group("any") };
const shape = (each) => trees.isGroup(each) ? { [each.mode]: each.children.map(shape) } : each.leaf.tag;
const moved = (id, way) => shape(trees.move(tree, id, way).include);

return {
  "an audience comes back as it was": () => {
    const audience = {
      include: { all: [tag("a"), { any: [tag("b"), { not: tag("c") }] }] },
      exclude: { not: { all: [tag("a"), tag("b")] } },
    };
    equal(through(audience), audience);
  },
  "nobody is left out by an empty exception, and everybody is meant without conditions": () =>
    equal([through(null), through({})], [{}, {}]),
  "a group of one condition is the condition": () =>
    equal(through({ include: { all: [tag("a")] } }), { include: tag("a") }),
  "a condition that reads badly turned round becomes a group of none": () => {
    const { include } = trees.fromAudience({ include: { not: language } });
    equal([include.mode, include.children[0].negated], ["none", false]);
    equal(through({ include: { not: language } }), { include: { not: language } });
  },
  "two times not is the same as never": () =>
    equal(trees.isSame({ include: { not: { not: tag("a") } } }, { include: { not: { not: tag("a") } } }), true),
  "the order of members makes no difference, other values do": () =>
    equal([
      trees.isSame({ include: { op: "is", field: "language", value: "de" } }, { include: language }),
      trees.isSame({ include: language }, { include: { ...language, value: "en" } }),
    ], [true, false]),
  "a condition without a value is unfinished": () =>
    equal(trees.unfinished(trees.fromAudience({ include: { all: [tag(""), tag("a")] } })).length, 1),
  "down steps into a group, and up from its first place out of it": () => {
    equal(moved(a.id, "down"), { all: [{ any: ["a", "b", "c"] }] });
    equal(moved(b.id, "up"), { all: ["a", "b", { any: ["c"] }] });
  },
  "out stands behind the group, in makes a group": () => {
    equal(moved(b.id, "out"), { all: ["a", { any: ["c"] }, "b"] });
    equal(moved(a.id, "in"), { all: [{ any: ["a"] }, { any: ["b", "c"] }] });
  },
  "the first condition has no way up": () => equal(trees.move(tree, a.id, "up") === tree, true),
  "a tree is never deeper than the API allows": () => {
    const deep = trees.condition(tag("x"));
    const { id } = deep;
    let all = { include: trees.group("all", [deep]), exclude: trees.group("any") };
    for (let count = 0; count < 20; count += 1) all = trees.move(all, id, "in");
    equal(trees.pathTo(all, id).length <= trees.limits.depth, true);
  },
  "a problem of the API is placed at the condition that its path names": () => {
    const placed = trees.placeProblems([{ path: "audience.include.all[1].any[0].tag", message: "x" }, {
      path: "audience",
      message: "y",
    }], tree);
    equal([placed.get(b.id)?.length, placed.get("")?.length], [1, 1]);
  },
};
