// One condition: field, comparison and value, in a row.

import m from "../m.js";
import { language, list, share, t } from "../i18n.js";
import { problemWords } from "../problems/problem-words.js";
import { Menu } from "../ui/menu.js";
import { DayInput } from "../ui/day-field.js";
import {
  blank,
  events,
  eventsWithAction,
  fields,
  isAboutDay,
  isComplete,
  kindOf,
  leastDays,
  longestEventDays,
  operators,
  typeOf,
  withOperator,
  words,
} from "./fields.js";
import { Completed, Many, MomentInput, NumberInput, Pick, Words } from "./inputs.js";

/** The types that can be chosen, in groups. */
function types(leaf, known) {
  const names = Object.keys(known.attributes).sort();
  // An attribute that many devices lack says so: a condition on it leaves them out.
  const named = (name) => ({
    value: `attribute:${name}`,
    label: known.attributes[name]?.share < 0.995
      ? t("audience.attributeShare", { name, share: share(known.attributes[name].share, 1, 0) })
      : name,
  });
  if ("attribute" in leaf && leaf.attribute && !names.includes(leaf.attribute)) names.push(leaf.attribute);
  return [
    {
      label: t("audience.group.device"),
      options: Object.keys(fields).map((name) => ({ value: `field:${name}`, label: t(`audience.field.${name}`) })),
    },
    {
      label: t("audience.group.attributes"),
      options: [...names.map(named), { value: "attribute:", label: t("audience.otherAttribute") }],
    },
    {
      label: t("audience.group.more"),
      options: ["tag", "event", "segment", "opted_out", "user_ids"].map((value) => ({
        value,
        label: t(`audience.type.${value}`),
      })),
    },
  ];
}

/** The two ways of a condition that can be turned round. */
const ways = (
  name,
) => [{ value: "", label: t(`audience.way.${name}`) }, { value: "not", label: t(`audience.way.${name}Not`) }];

/** Options with the chosen one first if it is not among them; `label` says what it is, which is never its id. */
const named = (records, id, label) => [
  ...(records.some((each) => String(each.value) === id) || !id ? [] : [{ value: id, label }]),
  ...records,
];

export const Condition = {
  view: ({ attrs: { node, known, except, campaign, problems = [], onchange, ondrop, onmove, isTouched } }) => {
    const { leaf, negated } = node;
    const type = typeOf(leaf);
    const set = (changes) => onchange({ ...node, ...changes });
    const setLeaf = (changes) => set({ leaf: { ...leaf, ...changes } });
    const invalid = problems.length > 0 || (isTouched && !isComplete(leaf));
    return m(
      "div.condition",
      { "data-node": node.id, role: "group", "aria-label": t("audience.condition") },
      m(Pick, {
        label: t("audience.what"),
        value: type,
        options: types(leaf, known),
        class: "what",
        onchange: (next) => onchange({ ...node, leaf: blank(next, known.attributes), negated: false }),
      }),
      m("div.condition-rest", inputs({ leaf, negated, known, except, campaign, set, setLeaf, invalid })),
      m(Menu, {
        label: t("audience.moveMenu"),
        icon: "three-dots-vertical",
        hidden: true,
        class: "quiet",
        items: [
          ...["up", "down", "in", "out"].map((way) => ({
            label: t(`audience.move.${way}`),
            onclick: () => onmove(way),
          })),
          { label: t("action.remove"), icon: "trash", variant: "danger", onclick: ondrop },
        ],
      }),
      m("button.close", {
        type: "button",
        "aria-label": t("audience.remove"),
        title: t("audience.remove"),
        onclick: ondrop,
      }, "×"),
      problems.map((each) => m("p.field-help.danger", { role: "alert" }, problemWords(each))),
      !problems.length && !isComplete(leaf) && m("p.field-help.warn", t(hint(leaf))),
    );
  },
};

function hint(leaf) {
  if (fields[leaf.field] === "version" && leaf.value) return "audience.needsVersion";
  if ("event" in leaf) return leaf.campaign ? "audience.needsDays" : "audience.needsCampaignOrDays";
  return "audience.needsValue";
}

function inputs({ leaf, negated, known, except, campaign, set, setLeaf, invalid }) {
  const way = (name) =>
    m(Pick, {
      label: t("audience.how"),
      value: negated ? "not" : "",
      options: ways(name),
      class: "how",
      onchange: (value) => set({ negated: value === "not" }),
    });
  if ("tag" in leaf) {
    return [
      way("has"),
      m(Completed, {
        label: t("audience.type.tag"),
        value: leaf.tag,
        options: known.tags.map((each) => completion("tag", each)),
        invalid,
        onchange: (tag) => setLeaf({ tag }),
      }),
    ];
  }
  if ("segment" in leaf) {
    const options = named(
      known.segments.filter(({ id }) => id !== except).map(({ id, name }) => ({ value: id, label: name })),
      leaf.segment,
      t("audience.deletedSegment"),
    );
    return [
      way("in"),
      m(Pick, {
        label: t("audience.type.segment"),
        value: leaf.segment,
        invalid,
        onchange: (segment) => setLeaf({ segment }),
        options: [{
          value: "",
          label: t(options.length || !known.isLoaded ? "audience.chooseSegment" : "audience.noSegments"),
        }, ...options],
      }),
    ];
  }
  if ("opted_out" in leaf) {
    const options = named(
      known.topics.map(({ key, name }) => ({ value: key, label: name })),
      leaf.opted_out,
      leaf.opted_out,
    );
    return [
      way("out"),
      m(Pick, {
        label: t("audience.type.opted_out"),
        value: leaf.opted_out,
        invalid,
        onchange: (value) => setLeaf({ opted_out: value }),
        options: [{
          value: "",
          label: t(options.length || !known.isLoaded ? "audience.chooseTopic" : "audience.noTopics"),
        }, ...options],
      }),
    ];
  }
  if ("user_ids" in leaf) {
    return [
      way("among"),
      m(Many, {
        label: t("audience.type.user_ids"),
        value: leaf.user_ids,
        options: (known.fields.user_id ?? []).map(({ value }) => value),
        invalid,
        placeholder: t("audience.pasteIds"),
        onchange: (ids) => setLeaf({ user_ids: ids }),
      }),
    ];
  }
  if ("event" in leaf) return [way("did"), eventInputs({ leaf, known, own: campaign, setLeaf, invalid })];
  return fieldInputs({ leaf, negated, known, set, setLeaf, invalid });
}

function eventInputs({ leaf, known, own, setLeaf, invalid }) {
  // Nobody can have reacted to a draft, nor to the campaign that is being written.
  const sent = known.campaigns.filter((each) => each.last_run && each.id !== own);
  const campaigns = named(
    sent.map(({ id, name }) => ({ value: id, label: name })),
    leaf.campaign,
    leaf.campaign && known.names.campaign(leaf.campaign),
  );
  const hasAction = eventsWithAction.includes(leaf.event);
  const isConversion = leaf.event === "converted";
  const change = (changes) => {
    const next = { ...leaf, ...changes };
    for (const name of ["campaign", "within_days", "action"]) {
      if (next[name] === "" || next[name] === null) next[name] = undefined;
    }
    setLeaf(next);
  };
  // A button is no conversion: an action is kept only for a kind of event that means the same by it.
  const changeKind = (event) =>
    change({
      event,
      ...((!eventsWithAction.includes(event) || (event === "converted") !== isConversion) && { action: undefined }),
    });
  return [
    m(Pick, {
      label: t("audience.eventKind"),
      value: leaf.event,
      options: events.map((value) => ({ value, label: t(`audience.event.${value}`) })),
      class: "how",
      onchange: changeKind,
    }),
    hasAction &&
    m(Completed, {
      label: t(isConversion ? "audience.conversion" : "audience.button"),
      value: leaf.action ?? "",
      placeholder: t(isConversion ? "audience.anyConversion" : "audience.anyButton"),
      onchange: (action) => change({ action }),
    }),
    m(Pick, {
      label: t("audience.campaign"),
      value: leaf.campaign ?? "",
      options: [{ value: "", label: t("audience.anyCampaign") }, ...campaigns],
      onchange: (campaign) => change({ campaign }),
    }),
    m(
      "span.row.nowrap.within",
      m("span.soft", t("audience.within")),
      m(NumberInput, {
        label: t("audience.withinDays"),
        value: leaf.within_days,
        whole: true,
        min: 1,
        max: longestEventDays,
        invalid,
        unit: t("audience.days"),
        onchange: (days) => change({ within_days: days }),
      }),
    ),
  ].filter(Boolean);
}

function fieldInputs({ leaf, negated, known, set, setLeaf, invalid }) {
  const kind = kindOf(leaf, known.attributes);
  const name = leaf.field ?? leaf.attribute;
  const label = leaf.field ? t(`audience.field.${leaf.field}`) : leaf.attribute || t("audience.value");
  const group = (op) => (isAboutDay({ ...leaf, op }) ? "date" : kind === "version" || kind === "time" ? kind : "");
  const ops = operators(leaf, known.attributes).flatMap((op) =>
    op === "exists"
      ? [{ value: "exists", label: t("audience.op.exists") }, { value: "missing", label: t("audience.op.missing") }]
      : [{ value: op, label: t(group(op) ? `audience.op.${group(op)}.${op}` : `audience.op.${op}`) }]
  );
  const how = m(Pick, {
    label: t("audience.how"),
    value: leaf.op === "exists" && negated ? "missing" : leaf.op,
    options: ops,
    class: "how",
    onchange: (op) =>
      set({ leaf: withOperator(leaf, op === "missing" ? "exists" : op, known.attributes), negated: op === "missing" }),
  });
  const isOther = "attribute" in leaf && !(leaf.attribute in known.attributes);
  const path = isOther && m(Completed, {
    label: t("audience.attribute"),
    value: leaf.attribute,
    placeholder: t("field.example", { text: "address.city" }),
    options: Object.entries(known.attributes).map(([value, each]) => completion("attribute", { value, ...each })),
    invalid: invalid && !leaf.attribute,
    onchange: (attribute) => setLeaf({ attribute }),
  });
  return [path, how, value({ leaf, kind, name, label, known, setLeaf, invalid })].filter(Boolean);
}

function value({ leaf, kind, name, label, known, setLeaf, invalid }) {
  const { op } = leaf;
  if (op === "exists") return null;
  const shared = { label, value: leaf.value, invalid, onchange: (next) => setLeaf({ value: next }) };
  const options = (("attribute" in leaf ? known.attributes[name]?.values : known.fields[name]) ?? []).map((each) =>
    completion(name, each)
  );
  if (kind === "word") {
    const choices = words[name].map((each) => ({ value: each, label: t(`audience.word.${each}`) }));
    return Array.isArray(leaf.value)
      ? m(Words, { ...shared, options: choices })
      : m(Pick, { ...shared, options: choices });
  }
  if (kind === "flag" || kind === "boolean") {
    return m(Pick, {
      ...shared,
      value: String(leaf.value),
      options: ["true", "false"].map((each) => ({
        value: each,
        label: t(each === "true" ? "audience.yes" : "audience.no"),
      })),
      onchange: (next) => setLeaf({ value: next === "true" }),
    });
  }
  if (op.endsWith("_days")) {
    return m(NumberInput, { ...shared, whole: true, min: leastDays(op), unit: t("audience.days") });
  }
  if (isAboutDay(leaf)) {
    return m(DayInput, {
      "aria-label": label,
      value: leaf.value,
      "aria-invalid": invalid ? "true" : undefined,
      onchange: (next) => setLeaf({ value: next ?? "" }),
    });
  }
  if (kind === "time") return m(MomentInput, shared);
  const isNumber = kind === "number" || (kind !== "version" && ["at_least", "above", "at_most", "below"].includes(op));
  if (Array.isArray(leaf.value)) {
    return m(Many, {
      ...shared,
      options,
      placeholder: t("audience.addValue"),
      ...(isNumber && { read: (text) => (Number.isFinite(Number(text)) ? Number(text) : null) }),
    });
  }
  if (isNumber) return m(NumberInput, { ...shared, options });
  return m(Completed, {
    ...shared,
    options,
    placeholder: kind === "version" ? t("field.example", { text: "4.2" }) : "",
    onchange: (next) => setLeaf({ value: kind === "language" ? next.toLowerCase() : next }),
  });
}

/** A value with the words that explain it, and the share of devices that have it: "de", German, 12 %. */
function completion(name, { value, share: part }) {
  const words = [["language", "locale"].includes(name) ? languageName(value) : null, share(part, 1, 0)].filter(Boolean);
  return { value, label: list(words, "unit") };
}

function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code);
  } catch {
    // The app sent something that is no language tag.
    return null;
  }
}
