// The due times of a run, each with its equation. Loaded after the report's first paint, like the statistics.

import m from "../m.js";
import { city, clock, number, t } from "../i18n.js";
import { api } from "../api.js";
import { dueTexts } from "../pushes/words.js";
import { load, Loaded } from "../loading.js";
import { inApp } from "../session.js";
import { isOver, zoneAt } from "../campaigns/run.js";
import { Button } from "../ui/button.js";
import { terms } from "../ui/ledger.js";
import { Table } from "../ui/table.js";

const limit = 50;
/** Milliseconds between two loads while the run is being sent. */
const reloadIntervalMs = 10_000;

/** The time zones whose clocks show the local time of the run at that moment. */
function there(run, due) {
  const zone = zoneAt(run, due);
  return zone &&
    m("span.meta.due-there", t("dueTimes.there", { time: clock(due, { timeZone: zone }), city: city(zone) }));
}

/** `run` as the report follows it; `href(query)` leads to its recipients. Draws nothing for a run with one due time. */
export function DueTimes({ attrs: initial }) {
  let { run } = initial, wanted = limit;
  const countsKey = () => [run.id, run.targeted, run.pending, run.finished_at].join();
  let loadedCounts = countsKey();
  const resource = load(async (signal) => {
    const data = [];
    let cursor;
    do {
      const answer = await api.get(inApp(`/runs/${run.id}/due-times`), { limit, cursor }, { signal });
      data.push(...answer.data);
      cursor = answer.next_cursor;
    } while (cursor && data.length < wanted);
    return { data, next: cursor };
  });
  function follow() {
    if (
      countsKey() === loadedCounts || resource.isLoading ||
      (!isOver(run) && Date.now() - (resource.loadedAt ?? 0) < reloadIntervalMs)
    ) {
      return;
    }
    loadedCounts = countsKey();
    resource.reload();
  }
  function showMore() {
    wanted += limit;
    return resource.reload();
  }

  function columns(href, texts) {
    const used = terms.filter((term) => run[term] > 0);
    const cell = (term) =>
    (
      row,
    ) => (row[term] > 0
      ? m("a.figure-link", {
        href: href(`?${new URLSearchParams({ due_at: row.due_at, ...(term !== "targeted" && { kind: term }) })}`),
      }, number(row[term]))
      : m("span.soft", number(row[term])));
    return [
      {
        id: "due",
        label: t("dueTimes.due"),
        wide: true,
        cell: ({ due_at: due }) => [m("b", texts.get(due)), there(run, due)],
      },
      ...["targeted", ...used].map((term) => ({
        id: term,
        label: t(`term.${term}.name`),
        number: true,
        cell: cell(term),
      })),
    ];
  }

  return {
    onremove: () => resource.end(),
    view: ({ attrs }) => {
      ({ run } = attrs);
      follow();
      if (!resource.error && !(resource.data?.data.length > 1)) return null;
      return m(
        "section.sheet.stack.due-times",
        m("h2", t("dueTimes.title")),
        Loaded({ resource }, ({ data, next }) => [
          m("p.soft", t("dueTimes.text")),
          m(Table, {
            label: t("dueTimes.title"),
            records: data.map((each) => ({ ...each, id: each.due_at })),
            columns: columns(attrs.href, dueTexts(data.map(({ due_at: due }) => due))),
          }),
          next && m("div.row", m(Button, { class: "small", onclick: showMore }, t("dueTimes.more"))),
        ]),
      );
    },
  };
}
