// The campaigns that are being sent.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { StateBadge } from "../ui/badge.js";
import { campaignRow, moreCampaigns, shownRows } from "./rows.js";

export const RunningCampaigns = ({ running }) =>
  m(
    "section",
    m("h2", t("dashboard.running")),
    running.length === 0 ? m("p.soft", t("dashboard.noneRuns")) : m(
      "ul.dash-list",
      running.slice(0, shownRows).map((each) => {
        const { last_run: run } = each;
        const percent = share(run?.progress ?? 0, 1, 0);
        return campaignRow(
          each,
          "report",
          m("span.row", m(StateBadge, { state: run?.state ?? each.state }), m("b", percent)),
          m(
            "span.bar",
            { role: "img", "aria-label": percent, "data-state": run?.state },
            m("i", { style: { width: `${(run?.progress ?? 0) * 100}%` } }),
          ),
          run?.targeted > 0 && m("span.meta", t("dashboard.of", { accepted: run.accepted, all: run.targeted })),
        );
      }),
    ),
    moreCampaigns(running, "sending"),
  );
