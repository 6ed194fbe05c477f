// A person's sign-in: an administrator makes an address for a new password, or stops the person from signing in.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { api } from "../api.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { toast, toastError } from "../ui/toast.js";
import { AffectedKeys } from "./affected-keys.js";
import { LinkDialog } from "./link-dialog.js";
import { isMe } from "./roles.js";
import { nameOf, stateOf } from "./words.js";

/** `onchange(person)` gets what the server answers, `onerror(error)` why it refused a change. */
export function SignInSection() {
  let made = null;
  /** {name, keys}: what stopped with the person. */
  let stopped = null;
  const path = ({ id }, action) => `/v1/users/${id}/${action}`;

  async function makeLink(person) {
    const isReset = person.has_password && !isMe(person);
    if (
      isReset &&
      !await ask({
        title: t("access.link.askTitle", { name: nameOf(person) }),
        text: t("access.link.askText"),
        confirm: t("access.link.make"),
        variant: "strong",
      })
    ) return;
    await api.post(path(person, "password-link")).then(({ password_link: link }) => {
      made = { name: nameOf(person), link };
    }, toastError);
    m.redraw();
  }
  async function move(action, { person, onchange, onerror }) {
    if (
      action === "disable" &&
      !await ask({
        title: t("access.disableTitle", { name: nameOf(person) }),
        text: t("access.disableText"),
        confirm: t("access.disable"),
      })
    ) return;
    await api.post(path(person, action), undefined, { ifMatch: person.version }).then((changed) => {
      toast(t(action === "disable" ? "access.disabled" : "access.enabled", { name: nameOf(person) }));
      if (changed.stopped_keys?.length > 0) stopped = { name: nameOf(person), keys: changed.stopped_keys };
      onchange(changed);
    }, onerror);
  }
  return {
    view: ({ attrs }) => {
      const { person } = attrs;
      const state = stateOf(person);
      return m(
        "section.sheet.stack",
        { "aria-labelledby": "sign-in" },
        m("h2#sign-in", t("access.signIn")),
        m(
          "p",
          state === "disabled"
            ? t("access.disabledSince", { time: moment(person.disabled_at) })
            : t(`access.state.${state}.text`),
        ),
        state !== "disabled" &&
          m(
            "div.stack.tight",
            m("div.row", m(Button, { icon: "key", onclick: () => makeLink(person) }, t("access.link.make"))),
            m("p.soft.meta", t("access.link.help")),
          ),
        m("hr"),
        state === "disabled"
          ? m("div.row", m(Button, { variant: "strong", onclick: () => move("enable", attrs) }, t("access.enable")))
          : m(
            "div.stack.tight",
            m(
              "div.row",
              m(Button, {
                variant: "danger",
                onclick: () => move("disable", attrs),
                reason: isMe(person) ? t("access.notYourself") : undefined,
              }, t("access.disable")),
            ),
            m("p.soft.meta", t("access.disableHelp")),
          ),
        made && m(LinkDialog, {
          made,
          onclose: () => {
            made = null;
          },
        }),
        stopped && m(AffectedKeys, {
          kind: "stopped",
          ...stopped,
          onclose: () => {
            stopped = null;
          },
        }),
      );
    },
  };
}
