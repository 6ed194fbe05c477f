// The effect of a campaign in words. Does not use the DOM or the network.

import { number, t } from "../i18n.js";
import { scaleOf } from "./scale.js";

/**
 * {variant, text} of a banner about the effect in the API. `area` has the sentences: those of one campaign, or of all
 * together.
 */
export function effectOf(result, area = "effect") {
  const scale = scaleOf(result.goal);
  const say = (name, values) => t(`${scale.isAmount ? `${area}.value` : area}.${name}`, values);
  if (!result.counted_at) return { variant: "note", text: t(`${area}.uncounted`) };
  const { treated, control, interval, caused_interval: caused } = result;
  const whole = (value) => (scale.isAmount ? scale.value(value) : number(Math.round(value)));
  const values = {
    event: result.goal.event_name,
    rate: scale.value(scale.of(treated)),
    controlRate: scale.value(scale.of(control)),
    treated: number(treated.people),
    control: number(control.people),
    caused: result.caused === null ? "" : whole(Math.abs(result.caused)),
    least: caused && whole(Math.min(Math.abs(caused.lower), Math.abs(caused.upper))),
    most: caused && whole(Math.max(Math.abs(caused.lower), Math.abs(caused.upper))),
    lower: interval && scale.difference(interval.lower),
    upper: interval && scale.difference(interval.upper),
    detectable: result.detectable_difference === null ? "–" : scale.difference(result.detectable_difference),
  };
  switch (result.finding) {
    case "caused":
      return { variant: "good", text: say("hasCaused", values) };
    case "harm":
      return { variant: "danger", text: say("harm", values) };
    case "no_effect_shown":
      return { variant: "note", text: say("noEffect", values) };
    case "sample_ratio":
      return { variant: "danger", text: t(`${area}.sampleRatio`, values) };
    default:
      if (result.final) return { variant: "note", text: say("few", values) };
      return { variant: "note", text: say(interval ? "soFar" : "early", values) };
  }
}
