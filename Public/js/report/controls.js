// Offers the actions on a run: pause and resume immediately, cancel after a question, another rate limit, a copy.

import m from "../m.js";
import { duration, langOf, t } from "../i18n.js";
import { api, APIError } from "../api.js";
import { inApp, page, session } from "../session.js";
import { attempt, cancelRun, duplicateCampaign, steerRun } from "../campaigns/actions.js";
import { isSchedulePaused, resumeSchedule, scheduleItems } from "../campaigns/recurrence.js";
import { unscheduleItem } from "../campaigns/unschedule.js";
import { timeText } from "../campaigns/when.js";
import { asksToStart, isMoving, isOver } from "../campaigns/run.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Menu } from "../ui/menu.js";
import { NumberField } from "../ui/field.js";

const highest = 1_000_000;

/**
 * The buttons beside the title. `take(totals)` and `takeCampaign(campaign)` show what changed, `onfollow` begins a
 * follow-up. Without a run only the schedule and the copy are offered.
 */
export const Controls = {
  view: ({ attrs: { campaign, run, take, takeCampaign, onfollow } }) => {
    const items = [...scheduleItems(campaign, takeCampaign), unscheduleItem(campaign, takeCampaign)].filter(Boolean);
    const maySend = session.may("campaigns:send");
    const steer = async (action) => {
      const totals = await steerRun(run, action);
      if (totals) take(totals);
    };
    const cancel = async () => {
      const totals = await cancelRun(run);
      if (totals) take(totals);
    };
    const isOpen = run && !isOver(run) && !asksToStart(run);
    return m(
      "div.row",
      [
        maySend && run && isMoving(run) && m(Button, {
          key: "pause",
          variant: "strong",
          icon: "pause-fill",
          onclick: () => steer("pause"),
        }, t("report.pause")),
        maySend && isOpen && run.state === "paused" &&
        m(Button, {
          key: "resume",
          variant: "strong",
          icon: "play-fill",
          onclick: () => steer("resume"),
        }, t("report.resume")),
        maySend && isOpen && m(Button, {
          key: "cancel",
          variant: "danger",
          onclick: () => {
            cancel();
          },
        }, t("report.cancel")),
        items.length > 0 && m(Menu, {
          key: "schedule",
          label: t("recurrence.menu"),
          icon: "calendar-check",
          items: [...items, { label: t("report.plan"), icon: "eye", href: page(`/campaigns/${campaign.id}/review`) }],
        }),
        run?.accepted > 0 && session.may("campaigns:write") &&
        m(Button, { key: "follow", icon: "reply", onclick: onfollow }, t("followUp.button")),
        run && session.may("campaigns:write") && campaign.actions.includes("edit") &&
        m(Button, { key: "edit", icon: "pencil", href: page(`/campaigns/${campaign.id}/content`) }, t("report.edit")),
        session.may("campaigns:write") &&
        m(Button, { key: "copy", icon: "files", onclick: () => duplicateCampaign(campaign) }, t("action.duplicate")),
      ].filter(Boolean),
    );
  },
};

/** Says that nothing starts, and offers to go on. */
export const SchedulePaused = {
  view: ({ attrs: { campaign, take } }) =>
    isSchedulePaused(campaign) &&
    m(
      Banner,
      { variant: "warn", role: "status", class: "banner-above" },
      t("recurrence.isPausedText"),
      session.may("campaigns:send") &&
        m(Button, { variant: "plain", onclick: () => resumeSchedule(campaign, take) }, t("recurrence.resume")),
    ),
};

/** Says when it was due and how late it is, or repeats the server's own words for a question about something else. */
function lateness({ occurrence, started_at: asked, reason }) {
  const late = Date.parse(asked) - Date.parse(occurrence);
  if (!/^(This was due|原定)/.test(reason) || !(late > 0)) return m("p", { lang: langOf(reason) }, reason);
  return m("p", t("report.late", { time: timeText(occurrence), late: duration(late) }));
}

/** A run that was late and asks whether to start. */
export const QuestionBanner = {
  view: ({ attrs: { run, take } }) =>
    m(
      Banner,
      { variant: "warn", role: "alert" },
      m("b", t("report.questionTitle")),
      lateness(run),
      session.may("campaigns:send") && m(
        "div.row.banner-actions",
        m(Button, {
          variant: "strong",
          onclick: async () => {
            const totals = await steerRun(run, "resume");
            if (totals) take(totals);
          },
        }, run.estimated > 0 ? t("report.sendTo", { count: run.estimated }) : t("report.send")),
        m(Button, {
          onclick: async () => {
            if (
              !await ask({ title: t("report.skipTitle"), text: t("report.skipText"), confirm: t("report.skipConfirm") })
            ) return;
            const totals = await steerRun(run, "cancel");
            if (totals) take(totals);
          },
        }, t("report.skip")),
      ),
    ),
};

/** Asks for another rate limit of a run. */
export function LimitDialog({ attrs: { run: { id, pushes_per_second: limit } } }) {
  let value = limit;
  let error = null;
  return {
    view: ({ attrs: { take, onclose } }) => {
      const save = async () => {
        if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= highest)) {
          error = t("report.limitBad");
          return;
        }
        await attempt(async () => {
          try {
            take(await api.patch(inApp(`/runs/${id}`), { pushes_per_second: value }));
            onclose();
          } catch (failure) {
            if (!(failure instanceof APIError)) throw failure;
            error = failure.problems[0]?.message ?? failure.message;
          }
        });
      };
      return m(
        Dialog,
        {
          title: t("report.limitTitle"),
          onclose,
          actions: [
            m(Button, { variant: "strong", onclick: save }, t("report.limitSave")),
            m(Button, { onclick: onclose }, t("action.back")),
          ],
        },
        m(NumberField, {
          label: t("report.limitLabel"),
          value,
          unit: t("report.limitUnit"),
          help: t("report.limitHelp"),
          error,
          min: 1,
          max: highest,
          step: 1,
          autofocus: true,
          oninput: (next) => {
            value = next;
            error = null;
          },
          onkeydown: (event) => {
            if (event.key === "Enter") save();
          },
        }),
      );
    },
  };
}
