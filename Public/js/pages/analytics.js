// The statistics of a period: funnel, time series, breakdowns, hours of the day, and devices.

import m from "../m.js";
import { city, clock, day, t, zone as ownZone } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { queryListeners, route, setQuery } from "../router.js";
import { inApp, page } from "../session.js";
import { Breakdown } from "../analytics/breakdown.js";
import { Compare, mostCompared } from "../analytics/compare.js";
import { DelayChart } from "../analytics/delay-chart.js";
import { DevicesChart, devicesOf } from "../analytics/devices.js";
import { Filters } from "../analytics/filters.js";
import { Funnel } from "../analytics/funnel.js";
import { HoursChart } from "../analytics/hours.js";
import { isNothing, measureName, measures, readMeasures } from "../analytics/measures.js";
import { campaignsOf, isLastRun, peopleHref } from "../analytics/names.js";
import { Part } from "../analytics/part.js";
import { daysWithin, happenedWithin, readPeriod, sentWithin } from "../analytics/period.js";
import { groupings } from "../analytics/rows.js";
import { MeasureChips, SeriesChart, seriesOf } from "../analytics/series.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Lazy } from "../ui/lazy.js";
import { Skeleton } from "../ui/skeleton.js";

const usualMeasures = ["accepted", "delivered", "engaged"];

const ids = (text) => [...new Set((text ?? "").split(",").filter((each) => /^[1-9]\d{0,18}$/.test(each)))];

export default function AnalyticsPage() {
  const read = () => readPeriod(route.query, ownZone);
  const scopeOf = (period) => ({ campaigns: ids(route.query.campaigns).slice(0, 50).join(), ...sentWithin(period) });
  const timesOf = (period) => ({
    campaigns: ids(route.query.campaigns).slice(0, 50).join(),
    time_zone: period.zone,
    ...happenedWithin(period),
  });
  /** The parameters that the main numbers depend on. Others change only the drawing. */
  const queryKey = () => JSON.stringify([read(), ids(route.query.campaigns)]);
  let loadedQuery = queryKey(), revision = 0;

  const resource = load(async (signal) => {
    const period = read();
    // The filters say what is wrong.
    if (period.problem) return null;
    const get = (kind, values) => api.get(inApp(`/statistics/${kind}`), values, { signal });
    const chosen = ids(route.query.campaigns);
    const [totals, series, hours, devices, named] = await Promise.all([
      get("totals", { by: "delay", ...scopeOf(period) }),
      get("series", { unit: period.unit, ...timesOf(period) }),
      get("hours", timesOf(period)),
      get("devices", daysWithin(period)),
      chosen.length === 1 ? campaignsOf(chosen, signal) : null,
    ]);
    const [begin, end] = [series.begins_at, series.ends_at].map((time) => Date.parse(time));
    const lines = seriesOf(series, begin, Math.min(end, Math.max(Date.now(), begin + 1)), series.time_zone);
    return { period, totals, lines, hours, devices: devicesOf(devices), campaign: named?.get(chosen[0]) };
  });
  function follow() {
    if (queryKey() === loadedQuery || read().problem) return;
    loadedQuery = queryKey();
    resource.reload();
  }
  function change(changes) {
    setQuery(changes);
    follow();
  }
  queryListeners.add(follow);
  function refresh() {
    if (read().problem) return undefined;
    revision += 1;
    return resource.reload();
  }

  function Nothing({ period }) {
    const isFiltered = Boolean(route.query.campaigns);
    return m(
      "section.sheet",
      m(
        Empty,
        { icon: "bar-chart-line", title: t("analytics.nothing"), text: t("analytics.nothingText") },
        isFiltered && m(Button, { onclick: () => change({ campaigns: null }) }, t("analytics.showAllCampaigns")),
        period.days < 90 &&
          m(Button, { onclick: () => change({ period: "90", from: null, to: null }) }, t("analytics.show90")),
        m(Button, { href: page("/campaigns") }, t("nav.campaigns")),
      ),
    );
  }

  function draw(data) {
    if (!data) return null;
    const { period, totals, lines, hours, devices, campaign } = data;
    const scope = scopeOf(period), times = timesOf(period);
    const shown = readMeasures(route.query.measures, usualMeasures);
    const hourly = measures.includes(route.query.hour) ? route.query.hour : "engaged";
    const isStale = resource.isLoading;
    // A text's languages are its campaign's.
    const options = scope.campaigns ? [...groupings, "language"] : groupings;
    const range = { from: day(period.from, { timeZone: "UTC" }), to: day(period.to, { timeZone: "UTC" }) };
    const href = campaign && isLastRun(totals.total, campaign.last_run)
      ? (measure) => peopleHref(campaign.id, campaign.last_run.id, measure)
      : null;
    const isQuiet = isNothing(totals.total) && lines.points.every(({ counts }) => !counts);
    return [
      isQuiet ? Nothing({ period }) : [
        m(Part, {
          title: t("analytics.funnel"),
          note: t("analytics.funnelText", range),
          csv: { kind: "totals", values: scope },
          isStale,
        }, m(Funnel, { counts: totals.total, href })),
        m(
          Part,
          {
            title: t("analytics.series"),
            note: t("analytics.seriesText", { city: city(period.zone) }),
            csv: { kind: "series", values: { unit: lines.unit, ...times } },
            isStale,
          },
          m(MeasureChips, {
            value: shown,
            onchange: (next) => setQuery({ measures: next.join() === usualMeasures.join() ? null : next.join() }),
          }),
          m(SeriesChart, { ...lines, shown, title: t("analytics.series") }),
        ),
        m(Breakdown, {
          scope,
          by: options.includes(route.query.by) ? route.query.by : options[0],
          options,
          revision,
          note: t("analytics.breakdownText"),
          onchange: (by) => setQuery({ by: by === groupings[0] ? null : by }),
        }),
        m(
          "div.columns",
          m(Part, {
            title: t("analytics.delay"),
            note: t("analytics.delayText"),
            csv: { kind: "totals", values: { by: "delay", ...scope } },
            isStale,
          }, m(DelayChart, { groups: totals.groups })),
          m(Part, {
            title: t("analytics.hours"),
            note: t("analytics.hoursNote", { city: city(period.zone) }),
            csv: { kind: "hours", values: times },
            isStale,
            tools: m(
              "label.order",
              m("span.visually-hidden", t("analytics.measureLabel")),
              m("select", {
                onchange: (event) => setQuery({ hour: event.target.value === "engaged" ? null : event.target.value }),
              }, measures.map((value) => m("option", { value, selected: value === hourly }, measureName(value)))),
            ),
          }, m(HoursChart, { hours: hours.hours, measure: hourly, zone: period.zone })),
        ),
        m(Compare, {
          scope: { ...scope, campaigns: undefined },
          revision,
          chosen: ids(route.query.compare).slice(0, mostCompared),
          first: ids(route.query.campaigns).slice(0, mostCompared),
          onchange: (next) => setQuery({ compare: next.join() }),
        }),
      ],
      m(Lazy, { module: "report/all-effect.js" }),
      m(Part, {
        title: t("analytics.devices"),
        note: t("analytics.devicesNote"),
        csv: { kind: "devices", values: daysWithin(period) },
        isStale,
      }, m(DevicesChart, devices)),
      m(
        "section.counting",
        m("h2", t("analytics.counting")),
        m(
          "ul",
          ["runs", "then", "days", "told", "tests"].map((name) => m("li", { key: name }, t(`analytics.how.${name}`))),
        ),
      ),
    ];
  }

  return {
    onremove() {
      queryListeners.delete(follow);
      resource.end();
    },
    view: () => [
      m(
        "div.page-head",
        m("h1", t("nav.analytics")),
        m(
          "div.row",
          resource.loadedAt && m("span.meta", t("analytics.asOf", { time: `${clock(resource.loadedAt)} ${city()}` })),
          m(Button, { class: "small", icon: "arrow-repeat", onclick: refresh }, t("analytics.refresh")),
        ),
      ),
      m(
        "div.stack.analytics",
        m(Filters, { period: read(), campaigns: ids(route.query.campaigns), change }),
        Loaded({ resource, skeleton: m("div.sheet", m(Skeleton, { rows: 9, height: 40 })) }, draw),
      ),
    ],
  };
}
