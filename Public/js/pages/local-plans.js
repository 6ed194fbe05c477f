// The local plans of an app, notifications that phones show by themselves: search, create, duplicate, archive.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { sentenceOf } from "../plans/sentence.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Menu } from "../ui/menu.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { toast, toastError } from "../ui/toast.js";

const shown = 2;

export default function LocalPlansPage() {
  const may = session.may("content:write");
  const selection = new Set();
  const isArchive = () => route.query.state === "archived";
  const list = pagedList(
    inApp("/local-plans"),
    () => ({ search: route.query.q, sort: "updated", archived: isArchive() || undefined }),
  );
  const mayAct = (attrs) =>
    may && m(Button, { variant: "strong", icon: "plus-lg", href: page("/local-plans/new"), ...attrs }, t("plan.new"));

  /** `action`: archive or unarchive; either undoes the other. */
  async function move(ids, action) {
    try {
      const { changed, failed = [] } = await api.post(inApp(`/local-plans/${action}`), { ids });
      selection.clear();
      const count = typeof changed === "number" ? changed : changed.length;
      if (count) {
        toast(t(action === "archive" ? "plan.archivedSome" : "plan.unarchivedSome", { count }), {
          undo: () => move(ids, action === "archive" ? "unarchive" : "archive"),
        });
      }
      if (failed.length) {
        toast(failed[0].detail ?? failed[0].message ?? t("plan.notMoved", { count: failed.length }), {
          variant: "danger",
        });
      }
      await list.reload();
    } catch (error) {
      toastError(error);
    }
  }
  const duplicate = (plan) =>
    api.post(inApp(`/local-plans/${plan.id}/duplicate`), {}, { idempotencyKey: newIdempotencyKey() }).then((copy) => {
      toast(t("plan.duplicated", { name: copy.name }));
      return list.restart();
    }, toastError);
  const action = () => (isArchive() ? "unarchive" : "archive");
  const columns = [
    { id: "name", label: t("plan.name"), wide: true, cell: ({ name }) => m("b.two-lines", name) },
    {
      id: "when",
      label: t("plan.when"),
      cell: ({ notifications }) => (notifications.length
        ? m(
          "ul.plan-when",
          notifications.slice(0, shown).map(({ trigger }, index) => m("li", { key: index }, sentenceOf(trigger))),
          notifications.length > shown
            ? m("li.soft", { key: "more" }, t("plan.andMore", { count: notifications.length - shown }))
            : [],
        )
        : m("span.soft", t("plan.none"))),
    },
    {
      id: "count",
      label: t("plan.notifications"),
      number: true,
      cell: (
        { notifications },
      ) => [
        m("span.wide-only", number(notifications.length)),
        m("span.narrow-label", t("plan.howMany", { count: notifications.length })),
      ],
    },
    { id: "updated", label: t("category.updated"), cell: ({ updated_at: at }) => m("span.nowrap", moment(at)) },
    may && {
      id: "menu",
      label: "",
      cell: (plan) =>
        m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          class: "row-menu",
          items: [{ label: t("action.duplicate"), icon: "files", onclick: () => duplicate(plan) }, {
            label: t(`action.${action()}`),
            icon: "archive",
            onclick: () => move([plan.id], action()),
          }],
        }),
    },
  ].filter(Boolean);
  const empty = () => {
    if (route.query.q) {
      return m(
        Empty,
        { icon: "search", title: t("list.nothing", { text: route.query.q }) },
        m(Button, { onclick: () => list.restart({ q: null }) }, t("list.clear")),
      );
    }
    if (isArchive()) return m(Empty, { icon: "archive", title: t("plan.archiveEmpty") });
    return m(
      Empty,
      { icon: "calendar-week", title: t("plan.emptyTitle"), text: t("plan.emptyText") },
      mayAct({ "data-create": "" }),
    );
  };
  return {
    onremove: () => list.end(),
    view: () => [
      m(
        "div.page-head",
        m("h1", t("nav.localPlans")),
        m(Search, { label: t("plan.search"), value: route.query.q, onsearch: (q) => list.restart({ q }) }),
        (list.records.length > 0 || route.query.q || isArchive()) && mayAct({ "data-create": "" }),
      ),
      m("p.soft.intro", t("plan.intro")),
      m(
        "section.sheet.stack",
        m(Tabs, {
          label: t("nav.localPlans"),
          active: isArchive() ? "archived" : "",
          onchange: (id) => {
            selection.clear();
            list.restart({ state: id || null });
          },
          tabs: [{ id: "", label: t("plan.active") }, { id: "archived", label: t("plan.archive") }],
        }),
        selection.size > 0 &&
          m(
            "div.row.selection",
            m("b", t("list.selected", { count: selection.size })),
            m(Button, { class: "small", onclick: () => move([...selection], action()) }, t(`action.${action()}`)),
          ),
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 6, height: 40 }) }, () =>
          m(Table, {
            label: t("nav.localPlans"),
            columns,
            records: list.records,
            selection: may ? selection : undefined,
            href: ({ id }) => page(`/local-plans/${id}`),
            empty: empty(),
          })),
        m(Pager, { list }),
      ),
    ],
  };
}
