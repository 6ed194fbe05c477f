// "Every [2] [weeks] on [Mon, Thu] at [09:00] in [their zone], [for ever]": a repetition as a sentence with blanks.

import m from "../m.js";
import { city, rich, t, zone } from "../i18n.js";
import { NumberInput, Pick, Words } from "../audience/inputs.js";
import { session } from "../session.js";
import { zoneNames } from "../zone-names.js";
import { Banner } from "../ui/banner.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";
import { withWindow } from "./best-window.js";
import { parseRule, weekdayOf, weekdays, writeRule } from "./rule.js";
import { scheduleWords, weekdayName } from "./words.js";

/** The rule to begin with: every week, on the weekday of its first day. */
export function firstRule(date) {
  return writeRule({ unit: "weeks", every: 1, on: [weekdayOf(date)], count: null, until: null });
}

export const Repeats = {
  view: ({ attrs: { schedule, onchange, readonly } }) => {
    const blanks = parseRule(schedule.rule);
    if (readonly || !blanks) {
      return m(
        "div.stack",
        m("p.lead", scheduleWords(schedule)),
        !blanks && !readonly && m(Banner, t("schedule.special")),
      );
    }
    const set = (changes) => onchange({ ...schedule, rule: writeRule({ ...blanks, ...changes }) });
    const { from } = schedule;
    const ends = blanks.count ? "count" : blanks.until ? "until" : "never";
    return m(
      "div.repeats",
      rich("schedule.sentence", {
        every: m(NumberInput, {
          label: t("schedule.interval"),
          value: blanks.every,
          whole: true,
          min: 1,
          max: 99,
          onchange: (every) => every >= 1 && set({ every: Math.floor(every) }),
        }),
        unit: m(Pick, {
          label: t("schedule.unit"),
          value: blanks.unit,
          options: ["days", "weeks", "months"].map((value) => ({
            value,
            label: t(`schedule.units.${value}`, { count: blanks.every }),
          })),
          onchange: (unit) =>
            set({
              unit,
              on: unit === "weeks" ? [weekdayOf(from)] : unit === "months" ? [Number(from.slice(8, 10))] : [],
            }),
        }),
        days: days(blanks, set),
        time: m(UncommittedInput, {
          class: "time",
          type: "time",
          "aria-label": t("schedule.time"),
          value: from.slice(11, 16),
          onchange: (event) =>
            event.target.value &&
            onchange(withWindow(schedule, `${from.slice(0, 11)}${event.target.value}:00`, schedule.best_time_until)),
        }),
        zone: m(Pick, {
          label: t("schedule.zone"),
          value: schedule.time_zone,
          options: zones(schedule.time_zone),
          onchange: (value) => onchange(inZone(schedule, value)),
        }),
        ends: m(
          "span.row",
          { style: { "--gap": "4px" } },
          m(Pick, {
            label: t("schedule.end"),
            value: ends,
            options: ["never", "count", "until"].map((value) => ({ value, label: t(`schedule.ends.${value}`) })),
            onchange: (value) =>
              set({
                count: value === "count" ? 10 : null,
                until: value === "until" ? `${Number(from.slice(0, 4)) + 1}${from.slice(4, 10)}` : null,
              }),
          }),
          ends === "count" &&
            m(NumberInput, {
              label: t("schedule.ends.count"),
              value: blanks.count,
              whole: true,
              min: 1,
              unit: t("schedule.timesUnit"),
              onchange: (count) => count >= 1 && set({ count: Math.floor(count) }),
            }),
          ends === "until" &&
            m(UncommittedInput, {
              class: "date",
              type: "date",
              "aria-label": t("schedule.ends.until"),
              value: blanks.until,
              min: from.slice(0, 10),
              onchange: (event) => event.target.value && set({ until: event.target.value }),
            }),
        ),
      }),
      m(
        "label.row.begin",
        { style: { "--gap": "8px" } },
        t("schedule.beginning"),
        m(UncommittedInput, {
          class: "date",
          type: "date",
          value: from.slice(0, 10),
          onchange: (event) =>
            event.target.value && onchange({ ...schedule, from: event.target.value + from.slice(10) }),
        }),
      ),
    );
  },
};

function days({ unit, on }, set) {
  if (unit === "days") return null;
  const options = unit === "weeks"
    ? weekdays.map((value) => ({ value, label: weekdayName(value) }))
    : Array.from({ length: 31 }, (_, index) => ({ value: index + 1, label: String(index + 1) }));
  return m(
    "span.days",
    { class: unit },
    t("schedule.on"),
    m(Words, { label: t("schedule.onDays"), value: on, options, onchange: (next) => next.length && set({ on: next }) }),
  );
}

/** Only in their own zones the time can be over for some people. */
function inZone({ if_past: past = "next_day", best_time_until: until, ...schedule }, timeZone) {
  const theirs = { if_past: past, ...(until && { best_time_until: until }) };
  return { ...schedule, time_zone: timeZone, ...(timeZone === "recipient" && theirs) };
}

function zones(current) {
  const own = [
    ...new Set([zone, session.thisApp?.default_time_zone, current].filter((each) => each && each !== "recipient")),
  ];
  const others = zoneNames().filter((each) => !own.includes(each));
  return [
    { value: "recipient", label: t("schedule.theirZone") },
    ...own.map((value) => ({ value, label: city(value) })),
    { label: t("schedule.otherZones"), options: others.map((value) => ({ value, label: value.replaceAll("_", " ") })) },
  ];
}
