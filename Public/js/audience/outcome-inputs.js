// The inputs of a condition about what became of a campaign's recipients.

import m from "../m.js";
import { t } from "../i18n.js";
import { outcomes } from "./fields.js";
import { Pick } from "./inputs.js";
import { withChosen } from "./options.js";
import { sentInputs } from "./sent-inputs.js";

/** `own` is the campaign that the audience is for. */
export function outcomeInputs({ leaf, known, own, setLeaf, invalid }) {
  const value = leaf.without ? `${leaf.outcome}:${leaf.without}` : leaf.outcome;
  return [
    m(Pick, {
      label: t("audience.outcomeKind"),
      value,
      class: "outcome-kind",
      options: withChosen(
        outcomes.map((each) => ({ value: each, label: outcomeName(each) })),
        value,
        outcomeName(value),
      ),
      onchange: (next) => {
        const [outcome, without] = next.split(":");
        setLeaf({ outcome, without });
      },
    }),
    ...sentInputs({ leaf, known, own, none: "audience.chooseCampaign", change: setLeaf, invalid }),
  ];
}

function outcomeName(value) {
  const [outcome, without] = value.split(":");
  return without
    ? t("audience.gotWithout", { event: t(`audience.event.${without}`) })
    : t(`audience.outcome.${outcome}`);
}
