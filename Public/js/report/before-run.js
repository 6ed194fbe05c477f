// Shown instead of a report before the first run: what the campaign waits for, or why it did not start.

import m from "../m.js";
import { langOf, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { isSchedulePaused } from "../campaigns/recurrence.js";
import { countdown, timeText } from "../campaigns/when.js";
import { page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Starting } from "./starting.js";

/** `onlate()` is called when the start of a campaign can no longer be undone. */
export const BeforeRun = {
  view: ({ attrs: { campaign, onlate } }) => {
    const { state, reason, next_at: next, actions, schedule } = campaign;
    const mayWrite = session.may("campaigns:write");
    const step = (name) => page(`/campaigns/${campaign.id}/${name}`);
    if (state === "failed") {
      return m(
        "section.sheet.stack",
        m(
          Banner,
          { variant: "danger", role: "alert" },
          m("b", t("report.refused")),
          m("p", { lang: langOf(reason) }, reason),
        ),
        m("p.soft", t("report.refusedHelp")),
        mayWrite && actions.includes("edit") &&
          m("div.row", m(Button, { variant: "strong", icon: "pencil", href: step("content") }, t("report.mend"))),
      );
    }
    if (campaign.starts_at) return m(Starting, { campaign, onlate });
    if (isSchedulePaused(campaign)) {
      return m("section.sheet", m(Empty, { icon: "bell", title: t("report.noRun"), text: t("report.watches") }));
    }
    if (state === "scheduled") {
      return m(
        "section.sheet",
        m(Empty, {
          icon: "bell",
          title: next
            ? t("report.beginsIn", { in: countdown(next) })
            : t(schedule?.kind === "triggered" ? "report.onTrigger" : "report.noRun"),
          text: sentences([next && t("report.beginsAt", { time: timeText(next) }), t("report.watches")]),
        }, m(Button, { href: step("review") }, t("report.plan"))),
      );
    }
    if (state === "cancelled" || state === "sent") {
      return m(
        "section.sheet",
        m(Empty, {
          icon: "bell",
          title: t(state === "cancelled" ? "report.cancelledUnsent" : "report.endedUnsent"),
          text: t("report.unsentText"),
        }),
      );
    }
    return m(
      "section.sheet",
      m(
        Empty,
        { icon: "bell", title: t("report.noRun"), text: t("report.noRunText") },
        m(Button, { variant: "strong", icon: "pencil", href: step("content") }, t("report.goOn")),
      ),
    );
  },
};
