// The templates of an app: search, create, duplicate, archive.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { labelled, sentences } from "../phrases.js";
import { api, newIdempotencyKey } from "../api.js";
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
import { newPayload } from "../content/new-content.js";

export default function TemplatesPage() {
  const selection = new Set();
  const isArchive = () => route.query.archived === "true";
  const list = pagedList(
    inApp("/templates"),
    () => ({ search: route.query.q, archived: isArchive() ? true : undefined, sort: route.query.sort ?? "updated" }),
  );
  const mayWrite = () => session.may("campaigns:write");

  async function create() {
    try {
      const made = await api.post(inApp("/templates"), {
        name: t("templates.untitled"),
        content: { payload: newPayload() },
      }, { idempotencyKey: newIdempotencyKey() });
      navigate(page(`/templates/${made.id}`));
    } catch (error) {
      toastError(error);
    }
  }
  async function duplicate({ id }) {
    try {
      const copy = await api.post(inApp(`/templates/${id}/duplicate`), {}, { idempotencyKey: newIdempotencyKey() });
      toast(t("templates.duplicated", { name: copy.name }));
      list.restart();
    } catch (error) {
      toastError(error);
    }
  }
  /** `action`: archive or unarchive; either undoes the other. */
  async function move(ids, action) {
    try {
      const { changed, failed = [] } = await api.post(inApp(`/templates/${action}`), { ids });
      selection.clear();
      const count = typeof changed === "number" ? changed : changed.length;
      if (count) {
        toast(t(action === "archive" ? "templates.archivedSome" : "templates.unarchivedSome", { count }), {
          undo: () => move(ids, action === "archive" ? "unarchive" : "archive"),
        });
      }
      if (failed.length) {
        const [{ detail, message }] = failed;
        toast(sentences([t("templates.failedSome", { count: failed.length }), detail ?? message]), {
          variant: "danger",
        });
      }
      list.reload();
    } catch (error) {
      toastError(error);
    }
  }
  const action = () => (isArchive() ? "unarchive" : "archive");
  const createButton = (attrs = {}) =>
    mayWrite() && m(Button, { variant: "strong", icon: "plus-lg", onclick: create, ...attrs }, t("templates.create"));

  const columns = () => [
    { id: "name", label: t("templates.name"), wide: true, cell: ({ name }) => m("b.two-lines", name) },
    {
      id: "version",
      label: t("templates.version"),
      number: true,
      cell: ({ version }) => m("span", m("span.narrow-label", labelled(t("templates.version"), "")), number(version)),
    },
    { id: "updated", label: t("templates.updated"), cell: ({ updated_at: time }) => moment(time) },
    ...(mayWrite()
      ? [{
        id: "more",
        label: m("span.visually-hidden", t("action.more")),
        number: true,
        cell: (record) =>
          m(Menu, {
            label: t("action.more"),
            icon: "three-dots",
            hidden: true,
            class: "row-menu",
            items: [{ label: t("action.duplicate"), icon: "files", onclick: () => duplicate(record) }, {
              label: t(`action.${action()}`),
              icon: "archive",
              onclick: () => move([record.id], action()),
            }],
          }),
      }]
      : []),
  ];
  const empty = () => {
    if (route.query.q) {
      return m(
        Empty,
        { icon: "search", title: t("list.nothing", { text: route.query.q }) },
        m(Button, { onclick: () => list.restart({ q: null }) }, t("list.clear")),
      );
    }
    if (isArchive()) return m(Empty, { icon: "archive", title: t("templates.emptyArchive") });
    return m(Empty, { icon: "bell", title: t("templates.empty"), text: t("templates.emptyText") }, createButton());
  };

  return {
    onremove: () => list.end(),
    view: () => [
      m(
        "div.page-head",
        m("h1", t("templates.title")),
        m(Search, { label: t("templates.search"), value: route.query.q, onsearch: (q) => list.restart({ q }) }),
        list.records.length || route.query.q || isArchive() ? createButton({ "data-create": "" }) : null,
      ),
      m(
        "div.sheet.stack",
        m(Tabs, {
          label: t("templates.tabs"),
          active: isArchive() ? "archived" : "",
          onchange: (id) => {
            selection.clear();
            list.restart({ archived: id ? "true" : null });
          },
          tabs: [{ id: "", label: t("templates.inUse") }, { id: "archived", label: t("templates.archived") }],
        }),
        selection.size > 0 &&
          m(
            "div.row.selection",
            m("b", t("list.selected", { count: selection.size })),
            m(Button, { class: "small", onclick: () => move([...selection], action()) }, t(`action.${action()}`)),
          ),
        Loaded({ resource: list, skeleton: m(Skeleton, { rows: 6, height: 40 }) }, () =>
          m(Table, {
            label: t("templates.title"),
            records: list.records,
            columns: columns(),
            selection: mayWrite() ? selection : undefined,
            href: ({ id }) => page(`/templates/${id}`),
            empty: empty(),
          })),
        m(Pager, { list }),
      ),
    ],
  };
}
