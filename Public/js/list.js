// The list of the app's campaigns, newest first.

import { byID, make, setText } from "./dom.js";
import { moment } from "./format.js";

const rows = new Map();

export function showList(campaigns, selected) {
  const ids = new Set(campaigns.map((campaign) => campaign.id));
  for (const [id, row] of rows) {
    if (ids.has(id)) continue;
    row.item.remove();
    rows.delete(id);
  }
  campaigns.forEach((campaign, index) => {
    if (!rows.has(campaign.id)) rows.set(campaign.id, makeRow(campaign.id));
    const row = rows.get(campaign.id);
    setText(row.name, campaign.name);
    setText(row.state, campaign.state);
    setText(row.when, when(campaign));
    row.item.dataset.state = campaign.state;
    if (campaign.id === selected) row.link.setAttribute("aria-current", "page");
    else row.link.removeAttribute("aria-current");
    const current = byID("list").children[index];
    if (current !== row.item) byID("list").insertBefore(row.item, current ?? null);
  });
}

/** Returns the time to show for the state. */
export function when(campaign) {
  if (campaign.state === "scheduled") return planned(campaign.next_at);
  if (campaign.state === "draft") return `edited ${moment(campaign.updated_at)}`;
  return moment(campaign.updated_at);
}

/** A local time has no zone; it applies in each recipient's time zone. */
function planned(next) {
  if (!next) return "waiting for a trigger";
  return next.endsWith("Z") ? `for ${moment(next)}` : `for ${moment(next)}, local time`;
}

function makeRow(id) {
  const name = make("b");
  const state = make("span", { className: "state" });
  const time = make("span", { className: "when" });
  const link = make("a", { href: `#campaign=${encodeURIComponent(id)}` }, name, make("span", {}, state, " ", time));
  return { item: make("li", {}, link), link, name, state, when: time };
}
