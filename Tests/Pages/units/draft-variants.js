const { asRequest, begun, withCopy, without, withWeight } = await import("/js/draft/variants.js");
const { stepOf } = await import("/js/draft/steps.js");

const variants = (...weights) => weights.map((weight, at) => ({ name: "ABC"[at], weight, payload: { at } }));
const weightsOf = (all) => all.map(({ weight }) => weight);

return {
  "a test begins with the content and its copy": () =>
    equal(begun({ name: "Sale", content: { payload: { aps: {} } } }), {
      variants: ["A", "B"].map((name) => ({
        name,
        weight: 500,
        payload: null,
        content: { payload: { aps: {} } },
        template: null,
        template_version: null,
      })),
      payload: null,
      content: null,
      template: null,
      template_version: null,
    }),
  "a copy has the first free name and an equal part, and the others share the rest as before": () => {
    const all = withCopy([{ name: "A", weight: 900 }, { name: "C", weight: 100, template: "7" }], 1);
    equal(all.map(({ name, template }) => [name, template ?? null]), [["A", null], ["C", "7"], ["B", "7"]]);
    equal(weightsOf(all), [600, 70, 330]);
  },
  "what a variant gives up or takes is shared by the others as before": () => {
    equal(weightsOf(withWeight(variants(500, 300, 200), 0, 200)), [200, 480, 320]);
    equal(weightsOf(withWeight(variants(1000, 0, 0), 0, 600)), [600, 200, 200]);
    equal(weightsOf(without(variants(500, 300, 200), 2)), [630, 370]);
    equal(weightsOf(withWeight(variants(500, 500), 1, 333)), [667, 333]);
  },
  "a request has the one content of each; a text that was typed is before what it replaces": () =>
    equal(
      asRequest([
        { name: "A", weight: 500, payload: { aps: {} }, content: null, template: null, template_version: null },
        { name: "B", weight: 300, payload: null, content: null, template: "7", template_version: 3 },
        {
          name: "C",
          weight: 200,
          payload: { a: 1 },
          content: { payload: { b: 2 } },
          template: "7",
          template_version: 3,
        },
      ]),
      [
        { name: "A", weight: 500, payload: { aps: {} } },
        { name: "B", weight: 300, template: "7", template_version: 3 },
        { name: "C", weight: 200, content: { payload: { b: 2 } } },
      ],
    ),
  "problems of variants are mended in the content": () =>
    equal(["variants[1].payload.aps", "variants", "schedule.at"].map(stepOf), ["content", "content", "schedule"]),
};
