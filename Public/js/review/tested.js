// Remembers the content of the last test push of each campaign in this browser, and compares it with the present
// content.

import { asRequest } from "../draft/variants.js";

const key = ({ app_id: app, id }) => `belfry.tested.${app}.${id}`;

/** Of an A/B test, one variant stands for all. */
function content({ payload, template, template_version: version, push_type: type, variants }) {
  return JSON.stringify(variants ? [asRequest(variants), type] : [payload, template, version, type]);
}

export function rememberTest(campaign) {
  localStorage.setItem(key(campaign), content(campaign));
}
export function isTested(campaign) {
  return localStorage.getItem(key(campaign)) === content(campaign);
}
