// What the lists of campaigns on the dashboard share.

import m from "../m.js";
import { t } from "../i18n.js";
import { page } from "../session.js";

/** Rows that a list shows; the rest is in the list of campaigns. */
export const shownRows = 5;

/** `step` is the page that the campaign's name leads to. */
export const campaignRow = (campaign, step, ...cells) =>
  m(
    "li.dash-row",
    { key: campaign.id },
    m(
      "a.row-link",
      { href: page(`/campaigns/${campaign.id}/${step}`) },
      m("b.campaign-name", { dir: "auto" }, campaign.name),
    ),
    cells,
  );

/** The way to all campaigns in a state, if there are more than are shown. */
export const moreCampaigns = (all, state) =>
  all.length > shownRows &&
  m("p.meta", m("a", { href: page(`/campaigns?state=${state}`) }, t("dashboard.allOfThem", { count: all.length })));
