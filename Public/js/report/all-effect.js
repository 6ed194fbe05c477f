// The effect of all campaigns together, by periods of the app's global control group, the newest first.

import m from "../m.js";
import { day, loadTexts, moment, share, t } from "../i18n.js";
import { api } from "../api.js";
import { load } from "../loading.js";
import { effectOf } from "./effect-words.js";
import { Sides } from "./effect.js";
import { inApp } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Part } from "../analytics/part.js";

/** Periods that are shown. */
const limit = 4;

const partOf = (thousandths) => share(thousandths, 1_000, thousandths % 10 ? 1 : 0);

/** Draws nothing without a period. */
export default function AllEffect() {
  const resource = load(async (signal) => {
    const [{ data }] = await Promise.all([
      api.get(inApp("/control-periods"), { limit }, { signal }),
      loadTexts("test"),
    ]);
    return data;
  });
  const dates = ({ starts_at: from, ends_at: to }) => ({
    from: day(Date.parse(from), { year: true }),
    to: day(Date.parse(to), { year: true }),
  });
  return {
    onremove: () => resource.end(),
    view: () => {
      if (resource.error) return m(Banner, { variant: "warn" }, t("error.module"));
      const [newest, ...earlier] = resource.data ?? [];
      if (!newest) return null;
      const { effect } = newest;
      const { variant, text } = effectOf(effect, "allEffect");
      return m(
        Part,
        {
          title: t("allEffect.title"),
          note: t("allEffect.note", { ...dates(newest), share: partOf(effect.control_share) }),
        },
        m(Banner, { variant, role: "status" }, text),
        effect.treated.people > 0 && m(Sides, { result: effect, area: "allEffect" }),
        m(
          "p.soft",
          effect.final
            ? t("effect.final", { time: moment(effect.counted_at) })
            : t("allEffect.until", { ...dates(newest), first: day(Date.parse(newest.counts_from_at)) }),
        ),
        earlier.length > 0 && m("h3", t("allEffect.earlier")),
        earlier.map((period) =>
          m(
            "p",
            { key: period.id },
            m("b", t("allEffect.range", dates(period))),
            " ",
            effectOf(period.effect, "allEffect").text,
          )
        ),
      );
    },
  };
}
