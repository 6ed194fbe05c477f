// The bar above every page: where pushes go, the search, and the reader's menu.

import m from "../m.js";
import { t } from "../i18n.js";
import { openPalette } from "../palette/palette.js";
import { session } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Bell } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { AccountMenu } from "./account-menu.js";

/** The destination of the app's pushes, always in sight. */
const Destination = {
  view: () => {
    const kind = session.current?.destination;
    if (!kind) return null;
    return m(
      Badge,
      { variant: kind === "apple" ? "apple" : "simulator", title: t(`destination.${kind}.text`) },
      t(`destination.${kind}.name`),
    );
  },
};

/** `ontoggle()` opens or closes the rail, `onkeys()` shows the list of keys. */
export const TopBar = {
  view: ({ attrs: { isRailOpen, ontoggle, onkeys } }) =>
    m(
      "header.top",
      m("button.rail-toggle.button.plain", {
        type: "button",
        "aria-label": t("nav.open"),
        "aria-expanded": isRailOpen ? "true" : "false",
        onclick: ontoggle,
      }, m(Icon, { name: "list" })),
      m("a.brand.narrow", { href: "/" }, m(Bell), m("span", "Belfry")),
      m(
        "div.push.row.nowrap",
        m(Destination),
        session.app && m(
          Button,
          {
            icon: "search",
            class: "palette-button",
            "aria-keyshortcuts": "Control+K Meta+K",
            onclick: openPalette,
          },
          t("palette.button"),
          " ",
          m("kbd", /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ K" : "Ctrl K"),
        ),
        m(AccountMenu, { onkeys }),
      ),
    ),
};
