// Campaigns and keys that need a person.

import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { archiveCampaigns } from "../campaigns/actions.js";
import { asksToStart } from "../campaigns/run.js";
import { page, session } from "../session.js";
import { StateBadge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { keyRows } from "./key-troubles.js";
import { campaignRow } from "./rows.js";

const shownTroubles = 8;

/** Says what needs attention, with the button that goes on. */
function trouble(campaign, onarchived) {
  const { state, reason, last_run: run } = campaign;
  const report = page(`/campaigns/${campaign.id}/report`);
  if (run && asksToStart({ ...run, state: "paused", reason })) {
    return campaignRow(
      campaign,
      "report",
      m("span.state", { "data-state": "paused" }, t("campaigns.asks")),
      m(Button, { class: "small", href: report }, t("campaigns.answer")),
    );
  }
  return campaignRow(
    campaign,
    "report",
    m(StateBadge, { state: state === "scheduled" ? "paused" : state }),
    reason
      ? m("span.meta.dash-reason", { lang: langOf(reason) }, reason)
      : run && m("span.soft", t("dashboard.of", { accepted: run.accepted, all: run.targeted })),
    m(Button, { class: "small", href: report }, t(state === "failed" ? "dashboard.mend" : "dashboard.look")),
    // A failed campaign is listed until somebody archives it.
    state === "failed" && session.may("campaigns:write") &&
      m(Button, {
        class: "small",
        variant: "plain",
        onclick: () => archiveCampaigns([campaign.id], onarchived),
      }, t("action.archive")),
  );
}

/** `onarchived()` is called when a failed campaign was archived. Draws nothing if nothing needs a person. */
export const Attention = ({ attention, hasKey, keys, onarchived }) =>
  (attention.length || !hasKey || keys.refused.length || keys.ending.length) &&
  m(
    "section.sheet.stack.dash-attention",
    m("h2", t("dashboard.attention")),
    m(
      "ul.dash-list",
      [
        !hasKey &&
        m(
          "li.dash-row",
          { key: "key" },
          m("b", t("dashboard.noKey")),
          m("span.soft.grow", t("dashboard.noKeyText")),
          m(Button, { class: "small", href: page("/app") }, t("dashboard.addKey")),
        ),
        ...keyRows(keys),
        ...attention.slice(0, shownTroubles).map((each) => trouble(each, onarchived)),
      ].filter(Boolean),
    ),
    attention.length > shownTroubles &&
      m("p.meta", t("dashboard.moreTroubles", { count: attention.length - shownTroubles })),
  );
