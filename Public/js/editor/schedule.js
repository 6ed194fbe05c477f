// The third step of a campaign: when it is sent, what holds it back, and the forecast.

import m from "../m.js";
import { city, clock, t } from "../i18n.js";
import { capital } from "../phrases.js";
import { localText, MomentInput, Pick } from "../audience/inputs.js";
import { ForecastView } from "../schedule/forecast-view.js";
import { forecastOf } from "../schedule/forecast.js";
import { Limits } from "../schedule/limits.js";
import { clockWords, NextTimes, peoplesZones } from "../schedule/next-times.js";
import { problemWords } from "../problems/problem-words.js";
import { firstRule, Repeats } from "../schedule/repeats.js";
import { isAtBestTime, withWindow } from "../schedule/best-window.js";
import { scheduleWords } from "../schedule/words.js";
import { Banner } from "../ui/banner.js";
import { Choices } from "../ui/field.js";
import { Lazy } from "../ui/lazy.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";

const kinds = ["now", "at", "local", "best", "recurring", "triggered"];

/** The choice that a schedule is. */
const kindOf = (schedule) => schedule?.kind === "local" && isAtBestTime(schedule) ? "best" : schedule?.kind ?? "now";

/** Tomorrow at nine, where the reader is: a first time that is never past. */
function tomorrow() {
  return `${localText(Date.now() + 86_400_000).slice(0, 11)}09:00`;
}

/** Another kind of schedule, with the time that was chosen. */
function changed(kind, schedule) {
  if (kind === "now") return null;
  if (kind === "triggered") return { kind };
  const local = `${
    schedule?.at?.endsWith("Z") ? localText(schedule.at) : (schedule?.at ?? schedule?.from ?? tomorrow()).slice(0, 16)
  }:00`;
  if (kind === "at") return { kind, at: new Date(local).toISOString() };
  const inTheirZone = { kind: "local", at: local, if_past: schedule?.if_past ?? "next_day" };
  if (kind === "local") return inTheirZone;
  if (kind === "best") return withWindow(inTheirZone, local, "21:00");
  return {
    kind,
    rule: firstRule(local.slice(0, 10)),
    from: local,
    time_zone: "recipient",
    if_past: schedule?.if_past ?? "next_day",
  };
}

const isOver = (schedule) => schedule?.kind === "at" && Date.parse(schedule.at) < Date.now();

export default function ScheduleStep({ attrs: { draft } }) {
  const forecast = forecastOf(draft);
  const set = (schedule) => draft.isEditable && draft.change({ schedule });

  function time(schedule) {
    if (!schedule || schedule.kind === "triggered") {
      return m("p.soft", t(schedule ? "schedule.triggeredHelp" : "schedule.nowHelp"));
    }
    if (schedule.kind === "recurring") {
      return [
        m(Repeats, { schedule, onchange: set, readonly: !draft.isEditable }),
        schedule.time_zone === "recipient" && bestTime(schedule),
      ];
    }
    if (isAtBestTime(schedule)) return bestTime(schedule);
    const isPast = isOver(schedule);
    return m(
      "div.stack",
      { style: { "--gap": "8px" } },
      m(
        "div.row.when",
        schedule.kind === "at"
          ? m(MomentInput, {
            label: t("schedule.time"),
            value: schedule.at,
            invalid: isPast,
            onchange: (at) => at && set({ ...schedule, at }),
          })
          : m(
            "span.row.nowrap.moment",
            { style: { "--gap": "8px" } },
            m(UncommittedInput, {
              type: "datetime-local",
              "aria-label": t("schedule.time"),
              value: schedule.at.slice(0, 16),
              onchange: (event) => event.target.value && set({ ...schedule, at: `${event.target.value}:00` }),
            }),
            m("span.soft", t("schedule.whereTheyAre")),
          ),
      ),
      isPast &&
        m("p.field-help.danger", { role: "alert" }, t("schedule.past", { time: clock(Date.now()), city: city() })),
    );
  }

  const bestTime = (schedule) =>
    m(Lazy, {
      module: "schedule/best-time.js",
      fields: { schedule, isTest: Boolean(draft.value.variants), readonly: !draft.isEditable, onchange: set },
    });

  /** The choice for places where the local time is over already. */
  const past = (schedule) =>
    (schedule?.kind === "local" || schedule?.time_zone === "recipient") &&
    m(
      "label.row",
      { style: { "--gap": "8px" } },
      t("schedule.pastThere"),
      m(Pick, {
        label: t("schedule.pastThere"),
        value: schedule.if_past ?? "next_day",
        disabled: !draft.isEditable,
        class: "how",
        options: ["next_day", "send", "skip"].map((value) => ({ value, label: t(`schedule.ifPast.${value}`) })),
        onchange: (value) => set({ ...schedule, if_past: value }),
      }),
    );

  /** Names the places whose clocks change over the chosen time. */
  const clocks = (schedule) =>
    schedule?.kind === "local" &&
    clockWords(schedule.at, peoplesZones()).map((text) => m(Banner, { key: text, variant: "warn" }, text));

  return {
    view: () => {
      forecast.follow();
      const { schedule } = draft.value;
      const kind = kindOf(schedule);
      // The field says already that its time is past.
      const isPast = isOver(schedule);
      const problems = draft.problems.filter(({ path = "" }) =>
        !isPast && (path === "schedule" || path.startsWith("schedule."))
      );
      const next = forecast.data && !forecast.isOld && schedule?.kind === "recurring"
        ? [forecast.data.occurrence, ...forecast.data.next_occurrences].filter(Boolean).slice(0, 5)
        : [];
      return m(
        "div.stack",
        { style: { "--gap": "24px" } },
        m(
          "section.sheet.stack",
          m("h2", t("schedule.title")),
          draft.isEditable
            ? m(Choices, {
              label: t("schedule.title"),
              hidden: true,
              inline: true,
              value: kind,
              options: kinds.map((value) => ({ value, label: t(`schedule.kinds.${value}`) })),
              onchange: (value) => set(changed(value, schedule)),
            })
            : m("p.lead", capital(scheduleWords(schedule))),
          draft.isEditable && time(schedule),
          draft.isEditable && past(schedule),
          clocks(schedule),
          problems.map((each) =>
            m(Banner, { variant: each.severity === "error" ? "danger" : "warn", role: "alert" }, problemWords(each))
          ),
          next.length > 0 && m("div", m("h3", t("schedule.next")), m(NextTimes, { occurrences: next, schedule })),
        ),
        m("section.sheet.stack", m("h2", t("schedule.forecast")), m(ForecastView, { forecast, draft })),
        m("section.sheet.stack", m("h2", t("schedule.limits")), m(Limits, { draft })),
      );
    },
  };
}
