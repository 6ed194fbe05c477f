// The effect of a campaign in words. Does not use the DOM or the network.

import { number, t } from "../i18n.js";
import { percent, points } from "./verdict.js";

/**
 * {variant, text} of a banner about the effect in the API. `area` has the sentences: those of one campaign, or of all
 * together.
 */
export function effectOf(result, area = "effect") {
  const say = (name, values) => t(`${area}.${name}`, values);
  if (!result.counted_at) return { variant: "note", text: say("uncounted") };
  const { treated, control, interval, caused_interval: caused } = result;
  const whole = (value) => number(Math.round(value));
  const values = {
    event: result.goal.event_name,
    rate: percent(treated.rate),
    controlRate: percent(control.rate),
    treated: number(treated.people),
    control: number(control.people),
    caused: result.caused === null ? "" : whole(Math.abs(result.caused)),
    least: caused && whole(Math.min(Math.abs(caused.lower), Math.abs(caused.upper))),
    most: caused && whole(Math.max(Math.abs(caused.lower), Math.abs(caused.upper))),
    lower: interval && points(interval.lower),
    upper: interval && points(interval.upper),
    detectable: result.detectable_difference === null ? "–" : points(result.detectable_difference),
  };
  switch (result.finding) {
    case "caused":
      return { variant: "good", text: say("hasCaused", values) };
    case "harm":
      return { variant: "danger", text: say("harm", values) };
    case "no_effect_shown":
      return { variant: "note", text: say("noEffect", values) };
    case "sample_ratio":
      return { variant: "danger", text: say("sampleRatio", values) };
    default:
      if (result.final) return { variant: "note", text: say("few", values) };
      return { variant: "note", text: say(interval ? "soFar" : "early", values) };
  }
}
