// Statistics of a run: events over time, the delay until people opened, and breakdowns by locale and version. Loaded
// after the report's first paint.

import m from "../m.js";
import { city, t, zone } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp, page } from "../session.js";
import { Breakdown } from "../analytics/breakdown.js";
import { DelayChart } from "../analytics/delay-chart.js";
import { events, readMeasures } from "../analytics/measures.js";
import { Part } from "../analytics/part.js";
import { floorTo } from "../analytics/period.js";
import { MeasureChips, SeriesChart, seriesOf } from "../analytics/series.js";
import { Skeleton } from "../ui/skeleton.js";

const minute = 60_000, hour = 60 * minute;
/** The chart shows this time after the start. Later reports are few. */
const spans = { minute: 2 * hour, hour: 168 * hour };
const groupings = ["locale", "language", "os_version", "app_version", "tag", "action"];
const usual = ["engaged"];
/** Milliseconds between two loads while devices report. */
const reloadIntervalMs = 10_000;

/**
 * `run` as the report follows it, its `campaign`'s id, and `oncounts(total)`: the head shows what the breakdown adds up
 * to.
 */
export function Statistics({ attrs: initial }) {
  let { run } = initial;
  const unit = () => (route.query.unit === "hour" ? "hour" : "minute");
  const queryKey = () => `${run.id} ${unit()}`;
  const countsKey = () => [run.delivered, run.engaged, run.opened, run.finished_at].join();
  let loadedQuery = queryKey(), loadedCounts = countsKey(), revision = 0;
  const timesOf = () => {
    const since = floorTo(unit(), Date.parse(run.started_at), zone);
    const until = Math.min(since + spans[unit()], Math.max(Date.now(), since + minute));
    return {
      run: run.id,
      unit: unit(),
      time_zone: zone,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
    };
  };
  const resource = load(async (signal) => {
    const times = timesOf();
    const [series, totals] = await Promise.all([
      api.get(inApp("/statistics/series"), times, { signal }),
      api.get(inApp("/statistics/totals"), { run: run.id, by: "delay" }, { signal }),
    ]);
    return { times, lines: seriesOf(series, Date.parse(times.since), Date.parse(times.until), zone), totals };
  });

  /** Another run, another unit, or news from the devices. */
  function follow() {
    const isReloadDue = !resource.isLoading && Date.now() - (resource.loadedAt ?? 0) > reloadIntervalMs;
    const countsChanged = countsKey() !== loadedCounts;
    if (queryKey() === loadedQuery && !(countsChanged && isReloadDue)) return;
    loadedQuery = queryKey();
    loadedCounts = countsKey();
    revision += 1;
    resource.reload();
  }

  const SpanChoice = () =>
    m(
      "label.order",
      m("span.visually-hidden", t("analytics.span")),
      m(
        "select",
        { onchange: (event) => setQuery({ unit: event.target.value === "minute" ? null : event.target.value }) },
        Object.keys(spans).map((value) =>
          m("option", { value, selected: value === unit() }, t(`analytics.spans.${value}`))
        ),
      ),
    );

  function draw({ times, lines, totals }) {
    const shown = readMeasures(route.query.measures, usual);
    const isOther = times.run !== run.id;
    return m(
      "div.columns",
      m(
        Part,
        {
          title: t("analytics.series"),
          note: t("analytics.seriesText", { city: city() }),
          tools: SpanChoice(),
          csv: { kind: "series", values: times },
          isStale: isOther || lines.unit !== unit(),
        },
        m(MeasureChips, {
          value: shown,
          options: events,
          onchange: (next) => setQuery({ measures: next.join() === usual.join() ? null : next.join() }),
        }),
        m(SeriesChart, { ...lines, shown, title: t("analytics.series") }),
      ),
      m(Part, {
        title: t("analytics.delay"),
        note: t("analytics.delayText"),
        csv: { kind: "totals", values: { run: run.id, by: "delay" } },
        isStale: isOther,
      }, m(DelayChart, { groups: totals.groups, height: 290 })),
    );
  }

  return {
    onremove: () => resource.end(),
    view: ({ attrs }) => {
      ({ run } = attrs);
      follow();
      const by = groupings.includes(route.query.by) ? route.query.by : groupings[0];
      return m(
        "div.stack.report-statistics",
        m(
          "div.part-head.above",
          m("h2.grow", t("analytics.report")),
          m("a", { href: page(`/analytics?campaigns=${attrs.campaign}`) }, t("analytics.allNumbers")),
        ),
        Loaded({ resource, skeleton: m("div.sheet", m(Skeleton, { rows: 5, height: 40 })) }, draw),
        run.finished_at
          ? m(Breakdown, {
            scope: { run: run.id },
            of: { campaign: attrs.campaign, run: run.id },
            by,
            options: groupings,
            revision,
            oncounts: attrs.oncounts,
            note: t("analytics.how.then"),
            onchange: (next) => setQuery({ by: next === groupings[0] ? null : next }),
          })
          : m("p.soft", t("analytics.reportSoon")),
      );
    },
  };
}
