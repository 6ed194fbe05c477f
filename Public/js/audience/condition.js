// One condition: field, comparison and value, in a row.

import m from "../m.js";
import { t } from "../i18n.js";
import { problemWords } from "../problems/problem-words.js";
import { Menu } from "../ui/menu.js";
import { conditionInputs } from "./condition-inputs.js";
import { conditionTypes } from "./condition-types.js";
import { blank, fields, isComplete, typeOf } from "./fields.js";
import { Pick } from "./inputs.js";

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
        options: conditionTypes(leaf, known),
        class: "what",
        onchange: (next) => onchange({ ...node, leaf: blank(next, known.attributes), negated: false }),
      }),
      m("div.condition-rest", conditionInputs({ leaf, negated, known, except, campaign, set, setLeaf, invalid })),
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
      leaf.field === "country" && m("p.field-help.soft", t("audience.countryHelp")),
      !problems.length && !isComplete(leaf) && m("p.field-help.warn", t(hint(leaf))),
    );
  },
};

function hint(leaf) {
  if (fields[leaf.field] === "version" && leaf.value) return "audience.needsVersion";
  if ("event" in leaf) return leaf.campaign ? "audience.needsDays" : "audience.needsCampaignOrDays";
  if ("outcome" in leaf) return "audience.needsCampaign";
  if ("event_name" in leaf) return "audience.needsEvent";
  return "audience.needsValue";
}
