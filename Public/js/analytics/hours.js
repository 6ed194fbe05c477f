// On which hours of the day something happens, as 24 columns.

import m from "../m.js";
import { city, number, share, t } from "../i18n.js";
import { sentences, stopped } from "../phrases.js";
import { ChartFigure } from "../ui/chart-figure.js";
import { ColumnChart } from "../ui/chart-columns.js";
import { measureName } from "./measures.js";

const clockOf = (hour) => `${String(hour % 24).padStart(2, "0")}:00`;
const name = (hour) => t("analytics.fromTo", { from: clockOf(hour), to: clockOf(hour + 1) });

/** `hours` of the API, `measure` is drawn. */
export const HoursChart = {
  view: ({ attrs: { hours, measure, zone } }) => {
    const values = hours.map((each) => each[measure]);
    const all = values.reduce((sum, each) => sum + each, 0);
    const best = values.indexOf(Math.max(...values));
    const sentence = all
      ? t("analytics.hoursText", {
        name: measureName(measure),
        from: clockOf(best),
        to: clockOf(best + 1),
        city: city(zone),
        count: values[best],
        share: share(values[best], all),
      })
      : t("analytics.lineNone", { name: measureName(measure) });
    return m(
      ChartFigure,
      {
        sentence,
        table: {
          label: t("analytics.hours"),
          columns: [
            {
              id: "hour",
              label: t("analytics.hourIn", { city: city(zone) }),
              wide: true,
              cell: ({ hour }) => name(hour),
            },
            { id: "count", label: measureName(measure), number: true, cell: (each) => number(each[measure]) },
            {
              id: "share",
              label: t("analytics.share"),
              number: true,
              cell: (each) => share(each[measure], all),
            },
          ],
          records: () => hours.map((each) => ({ ...each, id: String(each.hour) })),
        },
      },
      m(ColumnChart, {
        label: sentences([stopped(t("analytics.hours")), sentence]),
        measure: measureName(measure),
        columns: hours.map((each) => ({ title: name(each.hour), value: each[measure] })),
        ticks: hours.map(({ hour }) => ({ index: hour, label: clockOf(hour) })).filter(({ index }) => index % 3 === 0),
      }),
    );
  },
};
