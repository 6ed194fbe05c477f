// One's own account: name, roles, password, sessions.

import m from "../m.js";
import { t } from "../i18n.js";
import { NameField } from "../access/name-field.js";
import { PasswordForm } from "../access/password-form.js";
import { roleWords } from "../access/roles.js";
import { ownSessions, Sessions } from "../access/sessions.js";
import { api } from "../api.js";
import { page, session } from "../session.js";
import { toast, toastError } from "../ui/toast.js";

export default function AccountPage() {
  const sessions = ownSessions();

  /** Only those who manage people may change a name, also their own. */
  async function rename(name) {
    try {
      await api.patch(`/v1/users/${session.current.user.id}`, { name });
      await session.load();
      toast(t("setup.saved"));
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  }
  return {
    onremove: () => sessions.end(),
    view: () => {
      if (!session.current) return null;
      const { id, name, email, roles } = session.current.user;
      return [
        m("div.page-head", m("h1", t("account.title"))),
        m(
          "div.stack.gap-24.account-page",
          m(
            "div.columns",
            m(
              "section.sheet.stack",
              { "aria-labelledby": "who" },
              m("h2#who", t("account.you")),
              m(
                "dl.facts",
                !session.may("users", null) && m("div", m("dt", t("access.name")), m("dd", name || "–")),
                m("div", m("dt", t("access.email")), m("dd", email)),
                m(
                  "div",
                  m("dt", t("access.roles")),
                  m(
                    "dd",
                    roles.length
                      ? m("ul", roles.map((each) => m("li", { key: `${each.role} ${each.app_id}` }, roleWords(each))))
                      : t("account.noRole"),
                  ),
                ),
              ),
              session.may("users", null)
                ? m(NameField, { name, save: rename })
                : m("p.soft.meta", t("account.askAdmin")),
            ),
            m(
              "section.sheet.stack",
              { "aria-labelledby": "password" },
              m("h2#password", t("account.passwordTitle")),
              m(
                PasswordForm,
                { email, onchanged: () => sessions.reload() },
                session.may("users", null) && session.apps.length
                  ? m("a", { href: page(`/users/${id}`, session.app ?? session.apps[0].id) }, t("account.makeAddress"))
                  : t("account.forgot"),
              ),
            ),
          ),
          m(Sessions, { resource: sessions }),
        ),
      ];
    },
  };
}
