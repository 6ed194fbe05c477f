// Remembers the content of the last test push of each campaign in this browser, and compares it with the present
// content.

import { asRequest, contentRequest } from "../draft/variants.js";

const key = ({ app_id: app, id }) => `belfry.tested.${app}.${id}`;

/** Of an A/B test, one variant stands for all. */
function content(campaign) {
  const { variants, push_type: type } = campaign;
  return JSON.stringify([variants ? asRequest(variants) : contentRequest(campaign), type]);
}

export function rememberTest(campaign) {
  localStorage.setItem(key(campaign), content(campaign));
}
export function isTested(campaign) {
  return localStorage.getItem(key(campaign)) === content(campaign);
}
