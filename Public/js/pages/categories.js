// The categories of an app: the actions that people can take on a notification. Below: the source that the app needs.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { enumeration } from "../phrases.js";
import { api, send } from "../api.js";
import { load, Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp, page, session } from "../session.js";
import { copyOf, languagesOf } from "../categories/model.js";
import { allWithArchive, archiveItem, ArchiveTabs, isArchive, ofTab } from "../setup/archive.js";
import { languageName } from "../setup/languages.js";
import { Button } from "../ui/button.js";
import { copy } from "../ui/copy.js";
import { ask } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { SelectField } from "../ui/field.js";
import { Menu } from "../ui/menu.js";
import { Search } from "../ui/search.js";
import { Table } from "../ui/table.js";
import { Tabs } from "../ui/tabs.js";
import { toast, toastError } from "../ui/toast.js";

const text = (value) => value?.default ?? "";

export default function CategoriesPage() {
  const may = session.may("content:write");
  const resource = load(() => allWithArchive(inApp("/categories")));
  async function duplicate(category) {
    await api.post(inApp("/categories"), copyOf(category, resource.data)).then((copy) => {
      toast(t("category.duplicated", { name: copy.identifier }));
      return resource.reload();
    }, toastError);
  }
  async function remove(category) {
    if (
      !await ask({
        title: t("category.deleteTitle", { name: category.identifier }),
        text: t("category.deleteText"),
        confirm: t("action.delete"),
      })
    ) return;
    await api.delete(inApp(`/categories/${category.id}`), { ifMatch: category.version }).then(() => {
      toast(t("setup.deleted"));
      return resource.reload();
    }, toastError);
  }
  const columns = [
    { id: "name", label: t("category.identifier"), wide: true, cell: ({ identifier }) => m("b.two-lines", identifier) },
    {
      id: "actions",
      label: t("category.actions"),
      cell: ({ actions }) =>
        m(
          "span.action-chips",
          actions.length
            ? actions.map((action) =>
              m("span.action-chip.cut", {
                key: action.identifier,
                class: action.options.includes("destructive") ? "danger" : "",
              }, text(action.title))
            )
            : m("span.soft", "–"),
        ),
    },
    {
      id: "languages",
      label: t("setup.languages"),
      cell: (category) => enumeration(languagesOf(category).map(languageName)) || t("category.oneLanguage"),
    },
    { id: "updated", label: t("category.updated"), cell: ({ updated_at: at }) => m("span.nowrap", moment(at)) },
    may && {
      id: "menu",
      label: "",
      cell: (category) =>
        m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          class: "row-menu",
          items: [
            { label: t("action.duplicate"), icon: "files", onclick: () => duplicate(category) },
            archiveItem(`/categories/${category.id}`, { ...category, name: category.identifier }, () =>
              resource.reload()),
            {
              label: t("action.delete"),
              icon: "trash",
              variant: "danger",
              onclick: () =>
                remove(category),
            },
          ],
        }),
    },
  ].filter(Boolean);
  return {
    onremove: () => resource.end(),
    view: () => {
      const search = (route.query.q ?? "").toLowerCase();
      const matches = ({ identifier, actions }) =>
        [identifier, ...actions.flatMap(({ title }) => Object.values(title))].some((each) =>
          each.toLowerCase().includes(search)
        );
      return [
        m(
          "div.page-head",
          m("h1", t("nav.categories")),
          (resource.data?.length > 5 || search) &&
            m(Search, { label: t("category.search"), value: route.query.q, onsearch: (q) => setQuery({ q }) }),
          may && resource.data?.length > 0 &&
            m(
              Button,
              { variant: "strong", icon: "plus-lg", href: page("/categories/new"), "data-create": "" },
              t("category.new"),
            ),
        ),
        Loaded(
          { resource },
          (records) =>
            records.length
              ? m(
                "div.stack",
                { style: { "--gap": "24px" } },
                m(
                  "section.sheet.stack",
                  { key: "list" },
                  m(ArchiveTabs, { label: t("nav.categories"), records }),
                  m(Table, {
                    label: t("nav.categories"),
                    columns,
                    records: ofTab(records).filter(matches),
                    href: ({ id }) => page(`/categories/${id}`),
                    empty: m(
                      "p.soft",
                      search
                        ? t("list.nothing", { text: search })
                        : t(isArchive() ? "setup.archiveEmpty" : "setup.allArchived"),
                    ),
                  }),
                ),
                m(Source, {
                  key: records.map(({ id, version }) => `${id}.${version}`).join(),
                  languages: [...new Set(records.flatMap(languagesOf))],
                  count: records.length,
                }),
              )
              : m(
                "section.sheet",
                m(
                  Empty,
                  { icon: "ui-checks", title: t("category.emptyTitle"), text: t("category.emptyText") },
                  may &&
                    m(
                      Button,
                      { variant: "strong", icon: "plus-lg", "data-create": "", href: page("/categories/new") },
                      t("category.new"),
                    ),
                ),
              ),
        ),
      ];
    },
  };
}

const kinds = ["swift", "objective_c", "info_plist", "strings"];

/** The source of all categories to paste into the app. */
function Source({ attrs: { languages } }) {
  let locale = languages[0] ?? "";
  const kind = () => (kinds.includes(route.query.source) ? route.query.source : "swift");
  const source = load(async (signal) =>
    (await send(
      "GET",
      `${inApp("/categories/source")}?language=${kind()}${kind() === "strings" && locale ? `&locale=${locale}` : ""}`,
      { accept: "text/plain", signal },
    )).text()
  );
  return {
    onremove: () => source.end(),
    view: ({ attrs: { count } }) =>
      m(
        "section.sheet.stack",
        m("div", m("h2", t("category.source")), m("p.soft", t("category.sourceText", { count }))),
        m(Tabs, {
          label: t("category.source"),
          active: kind(),
          tabs: kinds.map((id) => ({ id, label: t(`category.kind.${id}`) })),
          onchange: (id) => {
            setQuery({ source: id });
            source.reload();
          },
        }),
        kind() === "strings" && languages.length > 0 &&
          m(SelectField, {
            label: t("setup.languages"),
            value: locale,
            options: languages.map((value) => ({ value, label: languageName(value) })),
            onchange: (value) => {
              locale = value;
              source.reload();
            },
          }),
        Loaded({ resource: source }, (data) =>
          m(
            "figure.code",
            m(
              "figcaption",
              m("span", t(`category.file.${kind()}`)),
              m(Button, {
                class: "small",
                icon: "clipboard",
                onclick: () => copy(data),
              }, t("action.copy")),
            ),
            m("pre", { tabindex: 0, "aria-label": t("category.source") }, m("code", data)),
          )),
      ),
  };
}
