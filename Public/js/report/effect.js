// The effect of a campaign, compared with its control group: a sentence and the numbers behind it.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { inApp } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Table } from "../ui/table.js";
import { followCounted } from "./counted.js";
import { effectOf } from "./effect-words.js";
import { Cap, numberColumns } from "./test-result.js";

/** `campaign` with a control group. Draws nothing before the first answer. */
export function Effect({ attrs: { campaign } }) {
  const followed = followCounted(inApp(`/campaigns/${campaign.id}/effect`), (result) => result.final);
  return {
    onremove: followed.end,
    view() {
      const { result, hasFailed } = followed;
      if (!result) return hasFailed ? m(Banner, { variant: "warn" }, t("effect.failed")) : null;
      const { variant, text } = effectOf(result);
      return m(
        "section.sheet.stack.test-result",
        m("h2", t("effect.title")),
        m(Banner, { variant, role: "status" }, text),
        result.counted_at && m(Sides, { result }),
        m(Cap, { result, sides: [result.treated, result.control] }),
        result.counted_at && m("p.soft", whenText(result)),
      );
    },
  };
}

function whenText({ final: isFinal, decides_at: at, counted_at: counted }) {
  if (isFinal) return t("effect.final", { time: moment(counted) });
  return at ? t("effect.decides", { time: moment(at) }) : t("test.counted", { time: moment(counted) });
}

/** The people of both sides, with their rates. `area` of the texts has the names of the sides. */
export const Sides = {
  view: ({ attrs: { result, area = "effect" } }) =>
    m(Table, {
      label: t("effect.title"),
      records: ["treated", "control"].map((side) => ({ ...result[side], id: side })),
      columns: [
        { id: "side", label: t("effect.side"), wide: true, cell: ({ id }) => m("b", t(`${area}.${id}`)) },
        ...numberColumns(result.goal, ({ converted }) => converted),
      ],
    }),
};
