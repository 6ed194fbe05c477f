// How the composer reads a campaign. A payload that a program has set is edited as the campaign's own text, which is
// saved with its first change: where there is no Liquid, both are sent alike. Does not use the DOM or the network.

import { isLiquid } from "./liquid.js";

/** With Liquid it is sent as it is written, braces and all, and stays a payload. */
const isLiteral = (payload) => isLiquid(JSON.stringify(payload));

function asContent(each) {
  const { payload } = each;
  return payload && !isLiteral(payload) ? { ...each, payload: null, content: { payload } } : each;
}

/** A campaign as the API answers it, with own contents in place of payloads; its warnings follow. */
export function withOwnContent(campaign) {
  const variants = campaign.variants?.map(asContent) ?? null;
  const read = { ...asContent(campaign), variants };
  const isRead = (place) => (place === undefined ? read : variants?.[place])?.content;
  const warnings = campaign.warnings?.map((each) => ({
    ...each,
    path: each.path.replace(
      /^(variants\[(\d+)\]\.)?payload(?=[.[])/,
      (path, variant = "", place) => (isRead(place) ? `${variant}content.payload` : path),
    ),
  }));
  return { ...read, warnings };
}
