// The topics of an app, which people can opt out of.

import m from "../m.js";
import { t } from "../i18n.js";
import { enumeration, sentences } from "../phrases.js";
import { all, api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp, session } from "../session.js";
import { allWithArchive, archiveItem, ArchiveTabs, isArchive, ofTab } from "../setup/archive.js";
import { languageName } from "../setup/languages.js";
import { TopicDialog } from "../setup/topic-dialog.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Menu } from "../ui/menu.js";
import { Search } from "../ui/search.js";
import { Table } from "../ui/table.js";
import { toast, toastError } from "../ui/toast.js";

export default function TopicsPage() {
  const may = session.may("apps:write");
  const resource = load(() => allWithArchive(inApp("/topics")));
  let edited = null;
  const open = (topic) => {
    edited = topic;
  };

  /** Campaigns that carry the topic, as far as the reader may see them. */
  async function usesOf(key) {
    if (!session.may("campaigns:read")) return [];
    return (await all(inApp("/campaigns"))).filter(({ topic }) => topic === key);
  }
  /** Topics are few and their key is chosen by a person, so a copy opens as a new one to name. */
  function duplicate({ name, description, translations, key }) {
    open({ copied: { name: t("topic.copyOf", { name }), description, translations, key: `${key}-copy`.slice(0, 64) } });
  }
  async function remove(topic) {
    const uses = await usesOf(topic.key).catch(() => []);
    const text = sentences([
      t("topic.deleteText"),
      uses.length &&
      t("topic.usedBy", { count: uses.length, names: enumeration(uses.slice(0, 3).map(({ name }) => `“${name}”`)) }),
    ]);
    if (!await ask({ title: t("topic.deleteTitle", { name: topic.name }), text, confirm: t("action.delete") })) return;
    await api.delete(inApp(`/topics/${topic.key}`), { ifMatch: topic.version }).then(() => {
      toast(t("setup.deleted"));
      return resource.reload();
    }, toastError);
  }
  const columns = [
    {
      id: "name",
      label: t("topic.name"),
      wide: true,
      cell: (topic) => [
        may
          ? m("button.link-button", { type: "button", onclick: () => open(topic) }, m("b.two-lines", topic.name))
          : m("b.two-lines", topic.name),
        topic.description && m("p.soft.meta.two-lines", topic.description),
      ],
    },
    { id: "key", label: t("topic.key"), cell: ({ key }) => m("code.two-lines", key) },
    {
      id: "languages",
      label: t("setup.languages"),
      cell: ({ translations }) =>
        enumeration(Object.keys(translations ?? {}).map(languageName)) || t("category.oneLanguage"),
    },
    may && {
      id: "menu",
      label: "",
      cell: (topic) =>
        m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          class: "row-menu",
          items: [
            { label: t("action.edit"), icon: "pencil", onclick: () => open(topic) },
            {
              label: t("action.duplicate"),
              icon: "files",
              onclick: () => duplicate(topic),
            },
            archiveItem(`/topics/${topic.key}`, topic, () => resource.reload()),
            { label: t("action.delete"), icon: "trash", variant: "danger", onclick: () => remove(topic) },
          ],
        }),
    },
  ].filter(Boolean);
  return {
    onremove: () => resource.end(),
    view: () => {
      const search = (route.query.q ?? "").toLowerCase();
      return [
        m(
          "div.page-head",
          m("h1", t("nav.topics")),
          (resource.data?.length > 5 || search) &&
            m(Search, { label: t("topic.search"), value: route.query.q, onsearch: (q) => setQuery({ q }) }),
          may && resource.data?.length > 0 &&
            m(
              Button,
              { variant: "strong", icon: "plus-lg", "data-create": "", onclick: () => open({}) },
              t("topic.new"),
            ),
        ),
        m("p.soft.intro", t("topic.intro")),
        m(
          "section.sheet",
          Loaded({ resource }, (topics) =>
            topics.length
              ? m(
                "div.stack",
                m(ArchiveTabs, { label: t("nav.topics"), records: topics }),
                m(Table, {
                  label: t("nav.topics"),
                  columns,
                  records: ofTab(topics).filter((each) =>
                    `${each.key} ${each.name} ${each.description}`.toLowerCase().includes(search)
                  ).map((each) => ({ ...each, id: each.key })),
                  empty: m(
                    "p.soft",
                    search
                      ? t("list.nothing", { text: search })
                      : t(isArchive() ? "setup.archiveEmpty" : "setup.allArchived"),
                  ),
                }),
              )
              : m(
                Empty,
                { icon: "bell", title: t("topic.emptyTitle"), text: t("topic.emptyText") },
                may && m(Button, {
                  variant: "strong",
                  icon: "plus-lg",
                  "data-create": "",
                  onclick: () => open({}),
                }, t("topic.new")),
              )),
        ),
        edited && m(TopicDialog, {
          topic: edited,
          onclose: () => {
            edited = null;
          },
          onsaved: () => {
            edited = null;
            toast(t("setup.saved"));
            return resource.reload();
          },
        }),
      ];
    },
  };
}
