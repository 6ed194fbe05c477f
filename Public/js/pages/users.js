// The people who can sign in to this server, and the permissions of each role.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { NewPerson } from "../access/new-person.js";
import { LinkDialog } from "../access/link-dialog.js";
import { RoleTable } from "../access/role-table.js";
import { roleWords } from "../access/roles.js";
import { Me, nameOf, PersonState } from "../access/words.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { UnavailablePage } from "../ui/unavailable-page.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { Table } from "../ui/table.js";

const columns = () => [
  {
    id: "name",
    label: t("access.person"),
    wide: true,
    cell: (
      person,
    ) => [
      m("b", nameOf(person)),
      " ",
      m(Me, { person }),
      person.name && person.name !== person.email && m("span.meta.device-under", person.email),
    ],
  },
  {
    id: "roles",
    label: t("access.roles"),
    cell: (
      { roles },
    ) => (roles.length
      ? m("ul", roles.map((each) => m("li", { key: `${each.role} ${each.app_id}` }, roleWords(each))))
      : m("span.warn", t("access.noRoleShort"))),
  },
  { id: "state", label: t("access.stateLabel"), cell: (person) => m(PersonState, { person }) },
  {
    id: "added",
    label: t("access.added"),
    cell: (
      { created_at: at },
    ) => [m("span.narrow-label", labelled(t("access.added"), "")), m("span.nowrap", moment(at))],
  },
];

export default function UsersPage() {
  // People belong to no app, so a role in one app does not suffice.
  if (!session.may("users", null)) {
    return {
      view: () =>
        m(
          UnavailablePage,
          { title: t("error.mayNot"), text: t("access.onlyAdmins") },
          m(Button, { variant: "strong", href: page("") }, t("action.home")),
        ),
    };
  }
  const list = pagedList("/v1/users");
  let isAdding = false, made = null;
  const addButton = () =>
    m(Button, {
      variant: "strong",
      icon: "person-plus",
      "data-create": "",
      onclick: () => {
        isAdding = true;
      },
    }, t("access.add"));

  return {
    onremove: () => list.end(),
    view: () => [
      m("div.page-head", m("h1", t("nav.users")), addButton()),
      m("p.soft.intro", t("access.intro")),
      m(
        "div.stack.gap-24",
        m(
          "section.sheet",
          { "aria-label": t("nav.users") },
          Loaded({ resource: list, skeleton: m(Skeleton, { rows: 5, height: 36 }) }, () => [
            m(Table, {
              label: t("nav.users"),
              columns: columns(),
              records: list.records,
              href: ({ id }) => page(`/users/${id}`),
              empty: m(
                Empty,
                { icon: "people", title: t("list.pageEmpty") },
                m(Button, { onclick: () => list.restart() }, t("list.firstPage")),
              ),
            }),
            list.records.length === 1 && !list.hasBefore && m("p.soft.only-you", t("access.onlyYou")),
            m(Pager, { list }),
          ]),
        ),
        m(RoleTable),
      ),
      isAdding && m(NewPerson, {
        onclose: () => {
          isAdding = false;
        },
        onadded: (person) => {
          isAdding = false;
          made = { name: nameOf(person), link: person.password_link, isNew: true };
          list.restart();
        },
      }),
      made && m(LinkDialog, {
        made,
        onclose: () => {
          made = null;
        },
      }),
    ],
  };
}
