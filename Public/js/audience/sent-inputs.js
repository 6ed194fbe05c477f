// The inputs of a condition that say which pushes it is about: a campaign, one of its runs, a variant.

import m from "../m.js";
import { t } from "../i18n.js";
import { Pick } from "./inputs.js";
import { withChosen } from "./options.js";
import { runsOf, runTime, variantsOf } from "./sent-runs.js";

/** `own` is the campaign that the audience is for, `none` the text while no campaign is chosen. */
export function sentInputs({ leaf, known, own, none, change, invalid }) {
  const { campaign, run, variant } = leaf;
  // Nobody can have reacted to a draft, nor to the campaign that is being written.
  const sent = known.campaigns.filter((each) => each.last_run && each.id !== own);
  const campaigns = withChosen(
    sent.map(({ id, name }) => ({ value: id, label: name })),
    campaign,
    campaign && known.names.campaign(campaign),
  );
  const runs = campaign ? withChosen(runsOf(campaign), run, run && (runTime(run) ?? t("audience.aRun"))) : [];
  const variants = run ? withChosen(variantsOf(run), place(variant), t("audience.aVariant")) : [];
  return [
    m(Pick, {
      class: "sent",
      label: t("audience.campaign"),
      value: campaign ?? "",
      invalid,
      options: [{ value: "", label: t(none) }, ...campaigns],
      onchange: (id) => change({ campaign: id, run: undefined, variant: undefined }),
    }),
    (runs.length > 1 || run) && m(Pick, {
      class: "sent",
      label: t("audience.run"),
      value: run ?? "",
      options: [{ value: "", label: t("audience.allRuns") }, ...runs],
      onchange: (id) => change({ run: id || undefined, variant: undefined }),
    }),
    (variants.length > 1 || variant !== undefined) && m(Pick, {
      label: t("audience.variant"),
      value: place(variant) ?? "",
      options: [{ value: "", label: t("audience.allVariants") }, ...variants],
      onchange: (value) => change({ variant: value === "" ? undefined : Number(value) }),
    }),
  ].filter(Boolean);
}

const place = (variant) => (variant === undefined ? undefined : String(variant));
