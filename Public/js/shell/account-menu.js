// The reader's menu: theme, language, the account, help, and the way out.

import m from "../m.js";
import { chooseLanguage, language, languages, t } from "../i18n.js";
import { session } from "../session.js";
import { Menu } from "../ui/menu.js";
import { toastError } from "../ui/toast.js";
import { chooseTheme } from "./choose-theme.js";
import { signOut } from "./sign-out.js";

/** `onkeys()` shows the list of keys. */
export const AccountMenu = {
  view: ({ attrs: { onkeys } }) =>
    m(Menu, {
      label: session.current?.user.email,
      icon: "person-circle",
      hidden: true,
      class: "account",
      items: [
        { label: t("shell.light"), icon: "sun", onclick: () => chooseTheme("light") },
        { label: t("shell.dark"), icon: "moon", onclick: () => chooseTheme("dark") },
        {
          label: t("shell.auto"),
          icon: "circle-half",
          onclick: () => chooseTheme(null),
        },
        ...Object.entries(languages).map(([code, name]) => ({
          label: name,
          icon: "translate",
          isCurrent: code === language,
          onclick: () => chooseLanguage(code).then(() => m.redraw()),
        })),
        { label: t("shell.account"), icon: "person", href: "/account" },
        { label: t("shell.glossary"), icon: "book", href: "/glossary" },
        {
          label: t("shell.keys"),
          icon: "keyboard",
          onclick: onkeys,
        },
        { label: t("shell.signOut"), icon: "box-arrow-right", onclick: () => signOut().catch(toastError) },
      ],
    }),
};
