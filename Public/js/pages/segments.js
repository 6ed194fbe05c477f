// Saved audiences: search, create, duplicate, archive.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { forgetKnown, known } from "../audience/values.js";
import { sentence } from "../audience/sentence.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { navigate, route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Menu } from "../ui/menu.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { toast, toastError } from "../ui/toast.js";

export default function SegmentsPage() {
  const list = pagedList(
    inApp("/segments"),
    () => ({ search: route.query.q, archived: isArchive() ? "true" : undefined }),
  );
  const selection = new Set();
  function isArchive() {
    return route.query.state === "archived";
  }
  const mayWrite = session.may("campaigns:write");

  /** Moves segments to the archive or back; shows which were refused, and offers to undo the rest. */
  async function move(ids, isBack = false) {
    try {
      const { changed, failed } = await api.post(inApp(`/segments/${isBack ? "unarchive" : "archive"}`), { ids });
      const refused = new Set(failed.map(({ index }) => ids[index]));
      const moved = ids.filter((id) => !refused.has(id));
      if (changed) {
        toast(t(isBack ? "segments.wasUnarchived" : "segments.wasArchived", { count: changed }), {
          undo: () => move(moved, !isBack),
        });
      }
      if (failed.length) {
        toast(t("segments.refused", { count: failed.length, reason: failed[0].message }), { variant: "danger" });
      }
      selection.clear();
      forgetKnown();
      await list.reload();
    } catch (error) {
      toastError(error);
    }
  }

  async function duplicate({ id }) {
    try {
      const copy = await api.post(inApp(`/segments/${id}/duplicate`), {}, { idempotencyKey: newIdempotencyKey() });
      toast(t("segments.copied", { name: copy.name }));
      forgetKnown();
      navigate(page(`/segments/${copy.id}`));
    } catch (error) {
      toastError(error);
    }
  }

  const columns = [
    { id: "name", label: t("segments.name"), wide: true, cell: (each) => m("b", each.name) },
    {
      id: "who",
      label: t("segments.who"),
      cell: (each) => m("span.soft.segment-says", sentence(each.audience, known().names)),
    },
    { id: "changed", label: t("segments.changed"), cell: (each) => m("span.nowrap", moment(each.updated_at)) },
    mayWrite && {
      id: "more",
      label: m("span.visually-hidden", t("action.more")),
      cell: (each) =>
        m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          class: "row-menu",
          items: [
            { label: t("action.duplicate"), icon: "files", onclick: () => duplicate(each) },
            {
              label: t(isArchive() ? "action.unarchive" : "action.archive"),
              icon: "archive",
              onclick: () => move([each.id], isArchive()),
            },
          ],
        }),
    },
  ].filter(Boolean);

  function empty() {
    if (route.query.q) {
      return m(
        Empty,
        { icon: "search", title: t("list.nothing", { text: route.query.q }) },
        m(Button, { onclick: () => list.restart({ q: null }) }, t("list.clear")),
      );
    }
    if (isArchive()) return m(Empty, { icon: "archive", title: t("segments.emptyArchive") });
    return m(
      Empty,
      { icon: "people", title: t("segments.empty"), text: t("segments.emptyText") },
      mayWrite && m(Button, { variant: "strong", icon: "plus-lg", href: page("/segments/new") }, t("segments.new")),
    );
  }

  return {
    onremove: () => list.end(),
    view: () => {
      const isBare = list.data && !list.records.length && !route.query.q && !isArchive();
      return [
        m(
          "div.page-head",
          m("h1", t("segments.title")),
          m(Search, { label: t("segments.search"), value: route.query.q, onsearch: (q) => list.restart({ q }) }),
          mayWrite && !isBare &&
            m(
              Button,
              { variant: "strong", icon: "plus-lg", href: page("/segments/new"), "data-create": "" },
              t("segments.new"),
            ),
        ),
        m(
          "div.sheet.stack",
          m(Tabs, {
            label: t("segments.shown"),
            active: isArchive() ? "archived" : "",
            onchange: (id) => {
              selection.clear();
              list.restart({ state: id || null });
            },
            tabs: [{ id: "", label: t("segments.current") }, { id: "archived", label: t("segments.archived") }],
          }),
          selection.size > 0 &&
            m(
              "div.row.selection",
              m("b", t("list.selected", { count: selection.size })),
              m(
                Button,
                { class: "small", onclick: () => move([...selection], isArchive()) },
                t(isArchive() ? "action.unarchive" : "action.archive"),
              ),
            ),
          Loaded({ resource: list, skeleton: m(Skeleton, { rows: 5, height: 40 }) }, () => [
            m(Table, {
              label: t("segments.title"),
              columns,
              records: list.records,
              href: ({ id }) => page(`/segments/${id}`),
              selection: mayWrite ? selection : undefined,
              empty: empty(),
            }),
            m(Pager, { list }),
          ]),
        ),
      ];
    },
  };
}
