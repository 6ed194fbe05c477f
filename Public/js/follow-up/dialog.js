// Asks who gets a follow-up, when, and with which text; then opens its draft.

import m from "../m.js";
import { clock, day, number, t } from "../i18n.js";
import { newCounter } from "../audience/count.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Choices, Field, NumberField, SelectField } from "../ui/field.js";
import { choices, conditionOf } from "./choices.js";
import { createFollowUp } from "./create.js";
import { followUpTime, longestDays } from "./when.js";

const defaultDays = 2, defaultHour = "18:00";

/**
 * `campaign`, its `run`, `onclose`; `first` is the choice to begin with. With `condition` the people are given, and
 * nobody chooses them.
 */
export function FollowUpDialog({ attrs: { first = "notEngaged", campaign } }) {
  let choice = first;
  let days = defaultDays;
  let hour = defaultHour;
  let place = 0;
  const counter = newCounter();

  const textOptions = campaign.variants?.map(({ name }, at) => ({
    value: String(at),
    label: t("followUp.copyOf", { name }),
  }));
  const isDaysValid = () => Number.isInteger(days) && days >= 0 && days <= longestDays;

  function whenText({ at, isLater }) {
    const time = Date.parse(`${at}Z`);
    const values = { day: day(time, { timeZone: "UTC" }), time: clock(time, { timeZone: "UTC" }) };
    return t(isLater ? "followUp.whenLater" : "followUp.when", values);
  }

  return {
    onremove: () => counter.end(),
    view: ({ attrs: { run, condition, onclose } }) => {
      const people = condition ?? conditionOf(choice, run);
      counter.take({ include: people });
      const { result, isOld, problems, error } = counter;
      const time = followUpTime({
        ended: run.finished_at ? Date.parse(run.finished_at) : Date.now(),
        days: isDaysValid() ? days : defaultDays,
        hour: hour || defaultHour,
        now: Date.now(),
      });
      const failure = problems[0]?.message ?? error?.message;
      return m(
        Dialog,
        {
          title: t("followUp.title", { name: campaign.name }),
          onclose,
          actions: [
            m(Button, {
              variant: "strong",
              onclick: () => createFollowUp({ campaign, condition: people, at: time.at, place }),
              reason: isDaysValid() ? undefined : t("followUp.daysBad"),
            }, t("followUp.create")),
            m(Button, { onclick: onclose }, t("action.back")),
          ],
        },
        m(
          "div.stack.follow-up",
          !condition && m(Choices, {
            label: t("followUp.who"),
            value: choice,
            options: choices.map((value) => ({ value, label: t(`followUp.choice.${value}`) })),
            onchange: (value) => {
              choice = value;
            },
          }),
          failure ? m(Banner, { variant: "danger", role: "alert" }, failure) : m(
            "p.follow-up-count",
            { role: "status", "aria-busy": isOld ? "true" : undefined, class: isOld ? "soft" : "" },
            result
              ? t(result.is_exact ? "followUp.count" : "followUp.countAbout", {
                count: result.matches,
                devices: number(result.matches),
              })
              : t("followUp.counting"),
          ),
          m(
            "div.row.follow-up-when",
            m(NumberField, {
              label: t("followUp.days"),
              value: days,
              min: 0,
              max: longestDays,
              step: 1,
              unit: t("followUp.daysUnit"),
              error: isDaysValid() ? null : t("followUp.daysBad"),
              oninput: (value) => {
                days = value;
              },
            }),
            m(Field, {
              label: t("followUp.time"),
              control: (aria) =>
                m("input", {
                  ...aria,
                  type: "time",
                  value: hour,
                  onchange: (event) => {
                    hour = event.target.value;
                  },
                }),
            }),
          ),
          m("p.soft", whenText(time)),
          textOptions && m(SelectField, {
            label: t("followUp.text"),
            value: String(place),
            options: textOptions,
            onchange: (value) => {
              place = Number(value);
            },
          }),
          m("p.soft", t("followUp.help")),
        ),
      );
    },
  };
}
