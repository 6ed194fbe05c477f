// One person who can sign in: name, roles, sign-in, and what they did last.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { AffectedKeys } from "../access/affected-keys.js";
import { NameField } from "../access/name-field.js";
import { RolesSection } from "../access/roles-section.js";
import { SignInSection } from "../access/sign-in-section.js";
import { Me, nameOf, PersonState } from "../access/words.js";
import { api } from "../api.js";
import { Latest } from "../audit/latest.js";
import { load, LoadedPage } from "../loading.js";
import { page, session } from "../session.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast, toastError } from "../ui/toast.js";

export default function UserPage({ attrs: { params } }) {
  const path = `/v1/users/${params.member}`;
  const resource = load((signal) => api.get(path, {}, { signal }));
  /** The keys that can do less since the roles were changed. */
  let limited = [];

  /** Shows what a change returned. One's own rights may be other ones now. */
  async function show(person) {
    resource.data = person;
    if (person.id === session.current.user.id) await session.load();
    m.redraw();
  }
  /** On a conflict the newest state is shown, so that the reader decides with it. */
  async function refuse(error) {
    toastError(error.status === 412 ? { message: t("access.conflict") } : error);
    if (error.status === 412) await resource.reload();
  }
  async function change(body) {
    try {
      const person = await api.patch(path, body, { ifMatch: resource.data.version });
      toast(t("setup.saved"));
      if (body.roles) limited = person.limited_keys;
      await show(person);
      return true;
    } catch (error) {
      await refuse(error);
      return false;
    }
  }
  const draw = (person) => [
    m("a.back.meta", { href: page("/users") }, m(Icon, { name: "chevron-left" }), t("nav.users")),
    m("div.page-head", m("h1", nameOf(person)), m(Me, { person }), m(PersonState, { person })),
    m(
      "div.with-aside",
      m(
        "div.stack.gap-24",
        m(
          "section.sheet.stack",
          { "aria-label": t("access.account") },
          m(
            "dl.facts",
            m("div", m("dt", t("access.email")), m("dd", person.email)),
            m("div", m("dt", t("access.added")), m("dd", moment(person.created_at))),
          ),
          m(NameField, { name: person.name, save: (name) => change({ name }) }),
        ),
        m(RolesSection, { person, change }),
        session.may("audit:read", null) && [m(Latest, { key: person.version, actor: person.email })],
      ),
      m("div.stack.gap-24", m(SignInSection, { person, onchange: show, onerror: refuse })),
    ),
    limited.length > 0 && m(AffectedKeys, {
      kind: "limited",
      name: nameOf(person),
      keys: limited,
      onclose: () => {
        limited = [];
      },
    }),
  ];
  return {
    onremove: () => resource.end(),
    view: () =>
      LoadedPage({
        resource,
        skeleton: m("div.sheet", m(Skeleton, { rows: 8 })),
        list: { href: page("/users"), title: t("nav.users") },
      }, draw),
  };
}
