// The same numbers for each group of pushes: by campaign, by what the devices were, by what people pressed, by reason.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp } from "../session.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { campaignsOf } from "./names.js";
import { Part } from "./part.js";
import { columnsFor } from "./rows.js";

/** Rows that are shown at first. */
const first = 10;

/**
 * `scope` are the parameters of the API, `options` the groupings, `by` the chosen one: `onchange(by)`, `of` the
 * {campaign, run} of a report. A new `revision` loads again. `oncounts(total)` tells what all groups together have.
 */
export function Breakdown({ attrs: initial }) {
  let attrs = initial, showsAll = false;
  const keyOf = ({ by, scope, revision }) => JSON.stringify([by, scope, revision]);
  let asked = keyOf(attrs);
  const resource = load(async (signal) => {
    const { by, scope } = attrs;
    const totals = await api.get(inApp("/statistics/totals"), { ...scope, by }, { signal });
    attrs.oncounts?.(totals.total);
    const named = totals.groups.slice(0, showsAll ? totals.groups.length : first).map(({ value }) => value);
    return { ...totals, campaigns: by === "campaign" ? await campaignsOf(named, signal) : null };
  });
  function showAll() {
    showsAll = true;
    // The names of campaigns are loaded for what is shown.
    return attrs.by === "campaign" ? resource.reload() : undefined;
  }

  function draw({ by, total, groups, truncated, campaigns }) {
    const shown = showsAll ? groups : groups.slice(0, first);
    return [
      m(Table, {
        label: t(`analytics.by.${by}`),
        columns: columnsFor(by, { whole: total, groups, campaigns, of: attrs.of }),
        records: shown.map((each) => ({ ...each, id: each.value })),
        empty: m(
          "p.soft",
          t(
            by === "tag"
              ? "analytics.noTags"
              : by === "action"
              ? "analytics.noActions"
              : by === "reason"
              ? "analytics.noReasons"
              : "analytics.noGroups",
          ),
        ),
      }),
      groups.length > shown.length &&
      m("div", m(Button, { variant: "plain", onclick: showAll }, t("analytics.showAll", { count: groups.length }))),
      truncated && showsAll && m("p.meta", t("analytics.truncated", { count: groups.length })),
      by === "tag" && groups.length > 0 && m("p.meta", t("analytics.tagsText")),
    ];
  }

  return {
    onremove: () => resource.end(),
    view: (vnode) => {
      ({ attrs } = vnode);
      if (keyOf(attrs) !== asked) {
        asked = keyOf(attrs);
        showsAll = false;
        resource.reload();
      }
      const { by, scope, options, onchange, note } = attrs;
      return m(
        Part,
        {
          title: t("analytics.breakdown"),
          note,
          csv: { kind: "totals", values: { ...scope, by } },
          class: "breakdown",
          isStale: resource.isLoading && resource.data !== undefined,
        },
        m(Tabs, {
          label: t("analytics.breakdown"),
          active: by,
          onchange,
          tabs: options.map((id) => ({ id, label: t(`analytics.by.${id}`) })),
        }),
        Loaded({ resource, skeleton: m(Skeleton, { rows: 6, height: 28 }) }, draw),
      );
    },
  };
}
