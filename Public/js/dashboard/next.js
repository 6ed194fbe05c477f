// The campaigns that begin within a day.

import m from "../m.js";
import { t } from "../i18n.js";
import { isAhead } from "../campaigns/run.js";
import { countdown, timeText } from "../campaigns/when.js";
import { campaignRow, moreCampaigns, shownRows } from "./rows.js";

export const NextCampaigns = ({ next }) =>
  m(
    "section",
    m("h2", t("dashboard.next")),
    next.length === 0 ? m("p.soft", t("dashboard.noneNext")) : m(
      "ul.dash-list",
      next.slice(0, shownRows).map((each) => {
        const isBegun = each.last_run && isAhead(each.last_run);
        const time = isBegun ? each.last_run.next_at : each.next_at;
        return campaignRow(each, isBegun ? "report" : "review", m("span.meta", countdown(time), " · ", timeText(time)));
      }),
    ),
    moreCampaigns(next, "scheduled"),
  );
