const { literalPayload, namedTemplate, ownContent, templateContent } = await import("/js/content/source.js");
const { copiedMembers, copiedText } = await import("/js/content/copied.js");
const { withOwnContent } = await import("/js/content/own-content.js");
const { variantDraft } = await import("/js/draft/variant-draft.js");

const alert = (text) => ({ aps: { alert: text } });
const settings = { push_type: "alert", priority: 10, expiration_seconds: 60, collapse_id: null };

/** A draft that notes what is changed, with problems by their paths. */
function draftOf(value, problems = []) {
  const changes = [];
  return {
    changes,
    value: { ...settings, variants: null, ...value },
    isEditable: true,
    problems,
    problemsAt: (path, deep) => problems.filter((each) => each.path === path || (deep && each.path.startsWith(path))),
    change: (fields) => changes.push(fields),
  };
}

return {
  "a change of a campaign's text is a change of its content, and one of a setting is the campaign's": () => {
    const draft = draftOf({ content: { payload: alert("Hi"), variants: { ja: alert("やあ") } }, payload: null });
    const source = ownContent(draft);
    equal(source.content, { payload: alert("Hi"), variants: { ja: alert("やあ") }, ...settings });
    source.change({ payload: alert("Hello") });
    source.change({ priority: 5 });
    source.change({ media: { id: "3" } });
    equal(draft.changes, [
      { content: { payload: alert("Hello"), variants: { ja: alert("やあ") } } },
      { priority: 5 },
      { content: { payload: alert("Hi"), variants: { ja: alert("やあ") }, media: { id: "3" } } },
    ]);
  },
  "a payload without Liquid is edited as an own text, and its warnings follow": () => {
    const warning = (path) => ({ path, code: "a" });
    const read = withOwnContent({
      payload: alert("Hi"),
      content: null,
      variants: null,
      warnings: ["payload.aps.alert", "audience.include"].map(warning),
    });
    equal([read.payload, read.content], [null, { payload: alert("Hi") }]);
    equal(read.warnings.map(({ path }) => path), ["content.payload.aps.alert", "audience.include"]);
    const test = withOwnContent({
      payload: null,
      variants: [{ payload: alert("{{ braces }}") }, { payload: alert("b") }],
      warnings: ["variants[0].payload.aps", "variants[1].payload.aps", "variants[1].payload"].map(warning),
    });
    equal(test.variants, [{ payload: alert("{{ braces }}") }, { payload: null, content: { payload: alert("b") } }]);
    equal(test.warnings.map(({ path }) => path), [
      "variants[0].payload.aps",
      "variants[1].content.payload.aps",
      "variants[1].payload",
    ]);
  },
  "a literal payload stays a payload": () => {
    const draft = draftOf({ payload: alert("{{ braces }}"), content: null });
    const source = literalPayload(draft);
    source.change({ payload: alert("{{ braces }}!") });
    equal([draft.changes, source.hasVariants], [[{ payload: alert("{{ braces }}!") }], false]);
  },
  "the text of a variant is changed in its place": () => {
    const variants = ["A", "B"].map((name) => ({
      name,
      weight: 500,
      payload: null,
      content: { payload: alert(name) },
    }));
    const draft = draftOf({ variants });
    ownContent(variantDraft(draft, 1)).change({ payload: alert("c") });
    equal(draft.changes[0].variants[1], {
      name: "B",
      weight: 500,
      payload: null,
      content: { payload: alert("c") },
    });
  },
  "problems are found where the campaign has the text": () => {
    const problems = ["content.variants.ja.aps.badge", "template.payload.aps", "priority"].map((path) => ({ path }));
    const own = ownContent(draftOf({ content: { payload: {} } }, problems));
    equal(own.problemsAt("variants.ja", true).map(({ path }) => path), ["content.variants.ja.aps.badge"]);
    equal(own.problemsAt("priority").map(({ path }) => path), ["priority"]);
    const named = namedTemplate(draftOf({ template: "7" }, problems), { payload: {} });
    equal([named.isEditable, named.problemsAt("payload.aps").map(({ path }) => path)], [
      false,
      ["template.payload.aps"],
    ]);
  },
  "problems of a preview get the paths that the campaign's own problems have": () => {
    const found = [{ path: "content.payload.aps.badge", code: "a" }, { path: "content.priority", code: "b" }];
    const placed = (source) => found.map((each) => source.placed(each).path);
    const draft = draftOf({ content: { payload: {} } });
    equal(placed(ownContent(draft)), ["content.payload.aps.badge", "priority"]);
    equal(placed(namedTemplate(draft, { payload: {} })), ["template.payload.aps.badge", "priority"]);
    equal(placed(templateContent(draft)), ["content.payload.aps.badge", "content.priority"]);
  },
  "a copy of a template is a text with the settings beside it": () => {
    const content = { push_type: "background", priority: 5, payload: alert("Hi"), variants: { ja: alert("やあ") } };
    equal(copiedText(content), { payload: alert("Hi"), variants: { ja: alert("やあ") } });
    equal(copiedMembers({ ...content, media: { id: "1" } }), {
      content: { payload: alert("Hi"), variants: { ja: alert("やあ") }, media: { id: "1" } },
      push_type: "background",
      priority: 5,
    });
  },
};
