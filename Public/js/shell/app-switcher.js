// The name of the app in the rail, and the way to another one.

import m from "../m.js";
import { t } from "../i18n.js";
import { page, session } from "../session.js";
import { Icon } from "../ui/icon.js";
import { Menu } from "../ui/menu.js";

/** The same kind of page in another app. */
function inOtherApp(app) {
  const [, , , kind] = location.pathname.split("/");
  return page(kind ? `/${kind}` : "", app);
}

export const AppSwitcher = {
  view: () => {
    const app = session.thisApp;
    if (session.apps.length < 2 && app) return m("div.app-name", m("b.cut", app.name));
    return m(
      Menu,
      {
        class: "app-switcher",
        label: t("shell.switchApp"),
        items: [
          ...session.apps.map((each) => ({
            label: each.name,
            href: inOtherApp(each.id),
            isCurrent: each.id === session.app,
          })),
          session.may("apps:write", null) && { label: t("shell.newApp"), icon: "plus-lg", href: "/setup" },
        ],
      },
      m("b.cut", app?.name ?? t("shell.noApp")),
      m(Icon, { name: "chevron-expand" }),
    );
  },
};
