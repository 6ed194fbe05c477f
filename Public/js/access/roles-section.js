// The roles of a person: remove one, add one. All of them are sent together, with the version that was read.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { RoleFields } from "./role-fields.js";
import { isMe, isSameRole, managesPeople, roleWords } from "./roles.js";
import { nameOf } from "./words.js";

/** `change(body)` stores and returns whether it worked. */
export function RolesSection() {
  let added = null;
  /** True after the first press: the fields and the button then take the focus from each other. */
  let isPressed = false;
  const takeFocus = ({ dom }) => isPressed && dom.querySelector("select, button").focus();

  /** Nobody takes their own way to this page away without being asked. */
  async function confirms(person, next, title) {
    if (isMe(person) && managesPeople(person.roles) && !managesPeople(next)) {
      return ask({ title, text: t("access.loseText"), confirm: t("access.removeRole") });
    }
    return next.length
      ? true
      : ask({ title, text: t("access.lastRoleText", { name: nameOf(person) }), confirm: t("access.removeRole") });
  }
  async function remove(person, gone, change) {
    const next = person.roles.filter((each) => !isSameRole(each, gone));
    if (await confirms(person, next, t("access.removeTitle", { role: roleWords(gone) }))) await change({ roles: next });
  }
  async function add(person, change) {
    if (await change({ roles: [...person.roles, added] })) added = null;
    m.redraw();
  }
  return {
    view: ({ attrs: { person, change } }) =>
      m(
        "section.sheet.stack",
        { "aria-labelledby": "roles" },
        m("h2#roles", t("access.roles")),
        person.roles.length
          ? m(
            "ul.role-list",
            person.roles.map((each) =>
              m(
                "li",
                { key: `${each.role} ${each.app_id}` },
                m("div.grow", m("b", roleWords(each)), m("p.soft", t(`access.role.${each.role}.text`))),
                m(Button, {
                  class: "small",
                  "aria-label": t("access.removeNamed", { role: roleWords(each) }),
                  onclick: () => remove(person, each, change),
                }, t("action.remove")),
              )
            ),
          )
          : m(Banner, { variant: "warn" }, t("access.noRole")),
        [
          added
            ? m(
              "div.sunk.stack",
              { key: "fields", oncreate: takeFocus },
              m(RoleFields, {
                value: added,
                onchange: (next) => {
                  added = next;
                },
              }),
              m(
                "div.row",
                m(Button, {
                  variant: "strong",
                  onclick: () => add(person, change),
                  reason: person.roles.some((each) => isSameRole(each, added)) ? t("access.hasRole") : undefined,
                }, t("access.addRole")),
                m(Button, {
                  variant: "plain",
                  onclick: () => {
                    added = null;
                  },
                }, t("action.cancel")),
              ),
            )
            : m(
              "div.row",
              { key: "button", oncreate: takeFocus },
              m(Button, {
                icon: "plus-lg",
                onclick: () => {
                  added = { role: "viewer", app_id: session.app };
                  isPressed = true;
                },
              }, t("access.addRole")),
            ),
        ],
      ),
  };
}
