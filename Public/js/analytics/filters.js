// The filters of the whole page: period, campaigns, time zone, and the unit of series.

import m from "../m.js";
import { city, day, language, t, zone as ownZone } from "../i18n.js";
import { DayInput } from "../ui/day-field.js";
import { SelectField } from "../ui/field.js";
import { zoneNames } from "../zone-names.js";
import { CampaignPicker } from "./campaign-picker.js";
import { longest, presets } from "./period.js";

/** As many as the API takes. */
const mostCampaigns = 50;

/** The options of zones, more than 400, in a language and with the zone that is chosen. */
let made = { key: null, options: [] };

function zones(current) {
  const key = `${language} ${current}`;
  if (made.key !== key) made = { key, options: zoneOptions(current) };
  return made.options;
}

function zoneOptions(current) {
  const first = [...new Set([ownZone, "UTC", current])];
  return [
    ...first.map((value) => ({ value, label: city(value) })),
    {
      label: t("schedule.otherZones"),
      options: zoneNames().filter((each) => !first.includes(each)).map((value) => ({
        value,
        label: value.replaceAll("_", " "),
      })),
    },
  ];
}

function OwnDates({ period, change }) {
  const field = (name) =>
    m(
      "label.row.nowrap.order",
      m("span.meta", t(`analytics.${name}`)),
      m(DayInput, {
        value: period[name],
        required: true,
        "aria-invalid": period.problem ? "true" : undefined,
        "aria-describedby": period.problem ? "period-problem" : undefined,
        onchange: (date) => change({ period: "own", from: period.from, to: period.to, [name]: date }),
      }),
    );
  return m(
    "div.row.own-dates",
    field("from"),
    field("to"),
    period.problem &&
      m(
        "p.field-help.danger#period-problem",
        { role: "alert" },
        t(`analytics.problem.${period.problem}`, { count: longest.day }),
      ),
  );
}

/** `period` of `readPeriod`, `campaigns` are ids; `change(parameters)` changes the address. */
export const Filters = {
  view: ({ attrs: { period, campaigns, change } }) => {
    const { zone, unit, days } = period;
    return m(
      "section.sheet.analytics-filters",
      { "aria-label": t("analytics.filters") },
      m(
        "div.field",
        m(
          "div.field-head",
          m("span.field-label", t("analytics.period")),
          !period.problem && m(
            "span.meta",
            period.from === period.to
              ? day(period.from, { timeZone: "UTC" })
              : `${day(period.from, { timeZone: "UTC" })} – ${day(period.to, { timeZone: "UTC" })}`,
          ),
        ),
        m(
          "div.chips.period",
          { role: "group", "aria-label": t("analytics.period") },
          [...presets, "own"].map((each) =>
            m("button.chip", {
              key: each,
              type: "button",
              "aria-pressed": period.period === each ? "true" : "false",
              onclick: () =>
                change(
                  each === "own"
                    ? { period: "own", from: period.from, to: period.to }
                    : { period: each === "30" ? null : each, from: null, to: null },
                ),
            }, each === "own" ? t("analytics.own") : t("analytics.days", { count: Number(each) }))
          ),
        ),
        period.period === "own" && OwnDates({ period, change }),
      ),
      m(CampaignPicker, {
        label: t("nav.campaigns"),
        value: campaigns,
        most: mostCampaigns,
        placeholder: t("analytics.allCampaigns"),
        onchange: (ids) => change({ campaigns: ids.join() }),
      }),
      m(SelectField, {
        label: t("analytics.zone"),
        value: zone,
        options: zones(zone),
        onchange: (value) => change({ zone: value === ownZone ? null : value }),
      }),
      m(SelectField, {
        label: t("analytics.unit"),
        value: unit,
        onchange: (value) => change({ unit: value === "day" ? null : value }),
        help: days > longest.hour ? t("analytics.hourTooLong", { count: longest.hour }) : undefined,
        options: (days > longest.hour ? ["day"] : ["day", "hour"]).map((value) => ({
          value,
          label: t(`analytics.units.${value}`),
        })),
      }),
    );
  },
};
