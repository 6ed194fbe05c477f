// The local plans of an app: notifications that phones show by themselves, without a push.

import m from "../m.js";
import { t, moment } from "../i18n.js";
import { api } from "../api.js";
import { Loaded } from "../loading.js";
import { listOf } from "../pages.js";
import { route } from "../router.js";
import { inApp, page, session } from "../session.js";
import { sentenceOf } from "../plans/sentence.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Menu } from "../ui/menu.js";
import { Pager } from "../ui/pager.js";
import { Search } from "../ui/search.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";

const shown = 2;

export default function LocalPlansPage() {
  const may = session.may("content:write");
  const isArchive = () => route.query.state === "archived";
  const list = listOf(inApp("/local-plans"), () => ({ search: route.query.q, sort: "updated", archived: isArchive() || undefined }));
  const act = (plan, action) => api.post(inApp(`/local-plans/${plan.id}/${action}`));

  async function archive(plan, action, other) {
    try {
      await act(plan, action);
      toast(t(action === "archive" ? "plan.archived" : "plan.unarchived"), { undo: () => act(plan, other).then(() => list.reload(), toastError) });
      await list.reload();
    } catch (error) {
      toastError(error);
    }
  }
  const duplicate = (plan) => act(plan, "duplicate").then(() => {
    toast(t("setup.created"));
    return list.reload();
  }, toastError);
  const columns = [
    { id: "name", label: t("plan.name"), wide: true, cell: ({ name }) => m("b", name) },
    { id: "when", label: t("plan.when"), cell: ({ notifications }) => m("span", notifications.slice(0, shown).map(({ trigger }) => sentenceOf(trigger)).join(" "),
      notifications.length > shown && m("span.soft", ` ${t("plan.andMore", { count: notifications.length - shown })}`)) },
    { id: "count", label: t("plan.notifications"), number: true, cell: ({ notifications }) => t("plan.howMany", { count: notifications.length }) },
    { id: "updated", label: t("category.updated"), cell: ({ updated_at: at }) => m("span.nowrap", moment(at)) },
    may && { id: "menu", label: "", cell: (plan) => m(Menu, {
      label: t("action.more"), icon: "three-dots", hidden: true, class: "row-menu",
      items: [{ label: t("action.duplicate"), icon: "files", onclick: () => duplicate(plan) },
        plan.archived_at ? { label: t("action.unarchive"), icon: "archive", onclick: () => archive(plan, "unarchive", "archive") } : { label: t("action.archive"), icon: "archive", onclick: () => archive(plan, "archive", "unarchive") }],
    }) },
  ].filter(Boolean);
  return {
    onremove: () => list.end(),
    view: () => [
      m("div.page-head", m("h1", t("nav.localPlans")), m(Search, { label: t("plan.search"), value: route.query.q, onsearch: (q) => list.restart({ q }) }),
        may && m(Button, { look: list.records.length ? "strong" : "", icon: "plus-lg", href: page("/local-plans/new"), "data-create": "" }, t("plan.new"))),
      m("p.soft.intro", t("plan.intro")),
      m("div.chips.intro", [[null, "plan.active"], ["archived", "plan.archive"]].map(([state, text]) => m("button.chip", {
        key: text, type: "button", "aria-pressed": String((route.query.state ?? null) === state), onclick: () => list.restart({ state }),
      }, t(text)))),
      m("section.sheet", Loaded({ resource: list }, () => (list.records.length
        ? [m(Table, { label: t("nav.localPlans"), columns, records: list.records, href: ({ id }) => page(`/local-plans/${id}`) }), m(Pager, { list })]
        : route.query.q ? m("div.row", m("p.soft", t("list.nothing", { text: route.query.q })), m(Button, { look: "plain", onclick: () => list.restart({ q: null }) }, t("list.clear")))
          : isArchive() ? m("p.soft", t("plan.archiveEmpty"))
            : m(Empty, { icon: "calendar-week", title: t("plan.emptyTitle"), text: t("plan.emptyText") }, may && m(Button, { look: "strong", href: page("/local-plans/new") }, t("plan.new")))))),
    ],
  };
}
