// The inputs of a condition about what people did with campaigns.

import m from "../m.js";
import { t } from "../i18n.js";
import { events, eventsWithAction, longestEventDays } from "./fields.js";
import { Completed, NumberInput, Pick } from "./inputs.js";
import { sentInputs } from "./sent-inputs.js";

/** `own` is the campaign that the audience is for. */
export function eventInputs({ leaf, known, own, setLeaf, invalid }) {
  const hasAction = eventsWithAction.includes(leaf.event);
  const isConversion = leaf.event === "converted";
  const change = (changes) => {
    const next = { ...leaf, ...changes };
    for (const name of ["campaign", "run", "variant", "within_days", "action"]) {
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
    ...sentInputs({ leaf, known, own, none: "audience.anyCampaign", change }),
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
