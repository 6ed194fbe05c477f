// How the numbers of a goal are shown: rates in percent and their differences in points, or amounts. Does not use the
// DOM or the network.

import { language, t } from "../i18n.js";

/** 0.0123 as "1.2": points of a percentage, which are never 0 unless they are. */
export function points(value) {
  const inPoints = value * 100;
  const digits = Math.abs(inPoints) < 0.1 ? { maximumSignificantDigits: 1 } : {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  };
  return shown(inPoints, digits);
}

/** A rate as "8.1%". */
export const percent = (rate) => (rate === null ? "–" : `${points(rate)}%`);

/** An amount as "12.40", "0.042" or "9,500": two digits of a small one, and no decimals of a large one. */
export function amount(value) {
  if (value === null) return "–";
  const size = Math.abs(value);
  if (size > 0 && size < 1) return shown(value, { maximumSignificantDigits: 2 });
  const digits = size < 1000 ? 2 : 0;
  return shown(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const shown = (value, digits) => new Intl.NumberFormat(language, digits).format(value).replace("-", "−");

const rates = {
  isAmount: false,
  /** What a variant or a side of the API has for each person. */
  of: ({ rate }) => rate,
  value: percent,
  /** A difference without its unit, and with it. */
  difference: points,
  withUnit: (value) => t("test.points", { points: points(value) }),
};
const amounts = {
  isAmount: true,
  of: ({ mean }) => mean,
  value: amount,
  difference: amount,
  withUnit: amount,
};

/** Of a goal of the API. */
export const scaleOf = ({ metric }) => (metric === "value" ? amounts : rates);
