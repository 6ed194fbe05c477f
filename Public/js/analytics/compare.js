// Up to four campaigns side by side: each rate with its number, as a bar beside the others.

import m from "../m.js";
import { number, share, t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp, page } from "../session.js";
import { Skeleton } from "../ui/skeleton.js";
import { CampaignPicker } from "./campaign-picker.js";
import { measureName, shareOf } from "./measures.js";
import { campaignName, campaignsOf, isLastRun, peopleHref } from "./names.js";
import { Part } from "./part.js";

export const mostCompared = 4;
/** Campaigns that are compared until the reader chooses: the largest. */
const usual = 3;
/** [measure, the measure of which its share is shown] */
const measures = [
  ["targeted"],
  ["accepted", "targeted"],
  ["rejected", "targeted"],
  ["suppressed", "targeted"],
  ["delivered", "accepted"],
  ["engaged", "accepted"],
  ["opened", "accepted"],
  ["actions", "accepted"],
  ["replies", "accepted"],
  ["conversions", "accepted"],
  ["influenced", "accepted"],
];
/** Rows that stay when they are zero. */
const isAlways = (measure) => ["targeted", "accepted", "delivered", "engaged"].includes(measure);
/** The length of a bar: the share of the whole, or the number if there is no whole. */
const partOf = (
  counts,
  measure,
  whole,
) => (whole ? counts[whole] && Math.min(1, counts[measure] / counts[whole]) : counts[measure]);
const rangeWords = ({ lower, upper }) => ({ lower: share(lower, 1), upper: share(upper, 1) });
const none = {
  targeted: 0,
  accepted: 0,
  rejected: 0,
  suppressed: 0,
  delivered: 0,
  engaged: 0,
  opened: 0,
  influenced: 0,
  actions: 0,
  replies: 0,
  conversions: 0,
};

/**
 * `scope` are the parameters of the API, `chosen` the ids, `first` those that the reader comes from, `onchange(ids)`. A
 * new `revision` loads again.
 */
export function Compare({ attrs: initial }) {
  let attrs = initial;
  const keyOf = ({ scope, chosen, first, revision }) => JSON.stringify([scope, chosen, first, revision]);
  let asked = keyOf(attrs);
  const resource = load(async (signal) => {
    const { scope, chosen, first } = attrs;
    const { groups } = await api.get(inApp("/statistics/totals"), {
      ...scope,
      by: "campaign",
      ...(chosen.length && { campaigns: chosen.join() }),
    }, { signal });
    const largest = groups.map(({ value }) => value).filter((id) => id !== "0");
    const ids = chosen.length ? chosen : [...new Set([...first, ...largest])].slice(0, Math.max(usual, first.length));
    const campaigns = await campaignsOf(ids, signal);
    return { campaigns, columns: ids.map((id) => ({ id, counts: groups.find(({ value }) => value === id) ?? none })) };
  });

  function cell({ id, counts }, [measure, whole], best, campaigns, line) {
    const part = partOf(counts, measure, whole);
    const run = campaigns.get(id)?.last_run;
    const href = counts[measure] > 0 && isLastRun(counts, run) ? peopleHref(id, run.id, measure) : null;
    const count = href ? m("a.figure-link", { href }, number(counts[measure])) : number(counts[measure]);
    const range = counts.intervals?.[measure];
    return m(
      "td",
      { key: id, "data-label": campaignName(id, campaigns) },
      m(
        "span.compare-cell",
        counts[measure] > 0
          ? [m("b", whole ? shareOf(counts[measure], counts[whole]) : count), whole && m("span.meta", count)]
          : m("span.soft", "0"),
        range && m("span.meta.compare-range", t("analytics.range", rangeWords(range))),
        m(
          "span.share-bar",
          { "aria-hidden": "true", "data-line": line },
          m("i", { style: { width: `${best ? (part / best) * 100 : 0}%` } }),
        ),
      ),
    );
  }

  const draw = (
    { campaigns, columns },
  ) => (columns.length < 1 ? m("p.soft", t("analytics.nothingToCompare")) : m(
    "div.table-scroll",
    m(
      "table.compare",
      { "aria-label": t("analytics.compare") },
      m(
        "thead",
        m(
          "tr",
          m("th", { key: "measure", scope: "col" }, m("span.visually-hidden", t("analytics.measureLabel"))),
          columns.map(({ id }) =>
            m(
              "th",
              { key: id, scope: "col" },
              m(
                "a.row-link",
                { href: page(`/campaigns/${id}/report`) },
                m("b.campaign-name", { dir: "auto" }, campaignName(id, campaigns)),
              ),
            )
          ),
        ),
      ),
      m(
        "tbody",
        measures.filter(([measure]) => isAlways(measure) || columns.some(({ counts }) => counts[measure] > 0)).map(
          ([measure, whole]) => {
            const parts = columns.map(({ counts }) => partOf(counts, measure, whole));
            return m(
              "tr",
              { key: measure, "data-measure": measure },
              m(
                "th",
                { key: "measure", scope: "row" },
                measureName(measure),
                whole && m("span.meta", t(`analytics.ofShort.${whole}`)),
              ),
              columns.map((column, line) => cell(column, [measure, whole], Math.max(...parts), campaigns, line)),
            );
          },
        ),
      ),
    ),
  ));

  return {
    onremove: () => resource.end(),
    view: (vnode) => {
      ({ attrs } = vnode);
      if (keyOf(attrs) !== asked) {
        asked = keyOf(attrs);
        resource.reload();
      }
      const { scope, chosen, onchange } = attrs;
      const ids = chosen.length ? chosen : resource.data?.columns.map(({ id }) => id) ?? [];
      return m(
        Part,
        {
          title: t("analytics.compare"),
          note: t("analytics.compareText", { count: mostCompared }),
          csv: { kind: "totals", values: { ...scope, by: "campaign", campaigns: ids.join() } },
          isStale: resource.isLoading && resource.data !== undefined,
        },
        m(
          "div.compare-picker",
          m(CampaignPicker, {
            label: t("analytics.compared"),
            hidden: true,
            value: ids,
            most: mostCompared,
            placeholder: t("analytics.addCampaign"),
            onchange,
          }),
        ),
        Loaded({ resource, skeleton: m(Skeleton, { rows: 8, height: 28 }) }, draw),
      );
    },
  };
}
