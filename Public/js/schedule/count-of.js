// The number of devices of a forecast, as it is shown everywhere. Does not use the DOM or the network.

import { number, t } from "../i18n.js";

/** {value, margin, isExact}: an estimate is rounded to what its margin of error allows. */
export function countOf({ sent, is_exact: isExact, margin_of_error: margin }) {
  if (isExact || !margin) return { value: sent, margin: null, isExact };
  return { value: rounded(sent, unitFor(margin)), margin: roundedUp(margin), isExact };
}

/** The largest power of ten of which half is within the margin. */
function unitFor(margin) {
  return 10 ** Math.floor(Math.log10(margin * 2));
}
function rounded(value, unit) {
  return Math.round(value / unit) * unit;
}
/** To one digit: 873 is 900. */
function roundedUp(margin) {
  const unit = 10 ** Math.floor(Math.log10(margin));
  return Math.ceil(margin / unit) * unit;
}

/** "167,768", or "about 168,000 (±900)". */
export function countWords({ value, margin, isExact }) {
  if (isExact) return number(value);
  return margin
    ? t("count.about", { number: number(value), margin: number(margin) })
    : `${t("audience.about")} ${number(value)}`;
}
