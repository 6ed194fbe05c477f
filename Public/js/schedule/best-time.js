// A schedule at each person's best time: the window in which it lies.

import m from "../m.js";
import { loadTexts, t } from "../i18n.js";
import { Pick } from "../audience/inputs.js";
import { Check } from "../ui/field.js";
import { UncommittedInput } from "../ui/uncommitted-input.js";
import { clockOf, firstHour, lastHour, shortest, withWindow } from "./best-window.js";

await loadTexts("best-time");

const hours = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: clockOf(from + index), label: clockOf(from + index) }));

/** `schedule` in people's own time; `isTest`: an A/B test of texts. */
export default {
  view: ({ attrs: { schedule, isTest, readonly, onchange } }) => {
    const isRepeated = schedule.kind === "recurring";
    const member = isRepeated ? "from" : "at";
    const until = schedule.best_time_until;
    const from = Number(schedule[member].slice(11, 13));
    const set = (time, end = until) => onchange(withWindow(schedule, time, end));
    const end = m(Pick, {
      label: t("bestTime.until"),
      value: until,
      disabled: readonly,
      options: hours(Math.min(from + shortest, 24), 24),
      onchange: (value) => set(schedule[member], value),
    });
    if (isRepeated) {
      return m(
        "div.stack",
        { style: { "--gap": "8px" } },
        m(
          "div.row",
          { style: { "--gap": "8px" } },
          m(Check, {
            label: t("bestTime.repeated"),
            checked: Boolean(until),
            disabled: readonly,
            onchange: (isOn) => set(schedule.from, isOn ? "21:00" : null),
          }),
          until && [m("span", t("bestTime.between", { from: clockOf(from) })), end],
        ),
        until && m(Help, { isTest }),
      );
    }
    return m(
      "div.stack",
      { style: { "--gap": "8px" } },
      m(
        "div.row.when",
        m(
          "span.row.moment",
          { style: { "--gap": "8px" } },
          m(UncommittedInput, {
            type: "date",
            "aria-label": t("bestTime.day"),
            value: schedule.at.slice(0, 10),
            onchange: (event) => event.target.value && set(event.target.value + schedule.at.slice(10)),
          }),
        ),
        m(
          "span.row.nowrap",
          { style: { "--gap": "8px" } },
          m(Pick, {
            label: t("bestTime.from"),
            value: clockOf(from),
            options: hours(firstHour, lastHour),
            onchange: (value) => set(`${schedule.at.slice(0, 11)}${value}:00`),
          }),
          "–",
          end,
          m("span.soft", t("schedule.whereTheyAre")),
        ),
      ),
      m(Help, { isTest }),
    );
  },
};

const Help = {
  view: ({ attrs: { isTest } }) =>
    m("p.field-help.soft", t("bestTime.help"), t("phrase.gap"), t(`bestTime.${isTest ? "honestTest" : "honest"}`)),
};
