// A start that the server delays, so that it can be undone. Closing the page changes nothing.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Bell } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { toast, toastError } from "../ui/toast.js";

/** Milliseconds between two drawings of the countdown. */
const redrawIntervalMs = 250;

/** `campaign` has `starts_at`. `onlate` is called when the start can't be undone any more. */
export function Starting() {
  const timer = setInterval(m.redraw, redrawIntervalMs);
  const secondsUntil = (time) => Math.max(0, Math.ceil((new Date(time) - Date.now()) / 1_000));

  async function undo({ campaign, onlate }) {
    try {
      await api.post(inApp(`/campaigns/${campaign.id}/unschedule`), undefined);
      toast(t("report.undone"));
      navigate(page(`/campaigns/${campaign.id}/review`));
    } catch (error) {
      toastError(error);
      onlate();
    }
  }

  return {
    onremove: () => clearInterval(timer),
    view: ({ attrs }) =>
      m(
        "section.sheet.starting",
        m(Bell),
        m("h2", t("report.startsSoon")),
        m(
          "p.starting-count",
          { role: "timer" },
          t("report.seconds", { count: secondsUntil(attrs.campaign.starts_at) }),
        ),
        m("p.soft", t("report.startsText")),
        session.may("campaigns:send") &&
          m(
            Button,
            { variant: "strong", icon: "arrow-counterclockwise", onclick: () => undo(attrs) },
            t("action.undo"),
          ),
      ),
  };
}
