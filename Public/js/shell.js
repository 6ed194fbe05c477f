// Draws the frame around every page: the rail with the app and its pages, the top bar, messages, questions.

import m from "./m.js";
import { t } from "./i18n.js";
import { waitingApprovals } from "./approvals.js";
import { connection } from "./connection.js";
import { onKey } from "./keys.js";
import { Palette } from "./palette/palette.js";
import { route } from "./router.js";
import { session } from "./session.js";
import { Page } from "./shell/page.js";
import { Rail } from "./shell/rail.js";
import { TopBar } from "./shell/top-bar.js";
import { Banner } from "./ui/banner.js";
import { Question } from "./ui/dialog.js";
import { Downloads } from "./ui/download.js";
import { KeyHelp } from "./ui/key-help.js";
import { Toasts } from "./ui/toast.js";

let isRailOpen = false;
let showsKeys = false;
onKey("?", () => {
  showsKeys = true;
  m.redraw();
});

let isArriving = false;
/**
 * After another page was opened: the rail closes, and the page's heading gets the focus, as a page load would give it.
 */
export function focusPage() {
  isRailOpen = false;
  isArriving = true;
}

/** After each drawing: many headings are known only when their data are there, so the tab and the focus follow them. */
function followHeading() {
  const heading = document.querySelector("main h1");
  if (!heading) return;
  const waiting = session.current ? waitingApprovals() : 0;
  const name = [heading.textContent, session.thisApp?.name, "Belfry"].filter(Boolean).join(" · ");
  const title = waiting ? `(${waiting}) ${name}` : name;
  if (document.title !== title) document.title = title;
  if (!isArriving || route.isLoading) return;
  isArriving = false;
  if (document.activeElement === document.body || document.activeElement?.closest(".rail, .top")) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/** The app beside a page that belongs to none: the one of the address, or the last one. A new app has none yet. */
function shownApp() {
  if (location.pathname.startsWith("/setup")) return null;
  const [, id] = /^\/a\/([^/]+)/.exec(location.pathname) ?? [];
  return session.apps.find((each) => each.id === id)?.id ?? session.lastApp?.id ?? null;
}

export const Shell = {
  oncreate: followHeading,
  onupdate: followHeading,
  view: () => {
    session.open(route.params.app ?? shownApp());
    const isGate = !session.current && location.pathname !== "/styles";
    if (isGate) return m("main.gate#main", m(Page), m(Toasts));
    return [
      m("a.skip", {
        href: "#main",
        onclick: (event) => {
          event.preventDefault();
          document.querySelector("main h1")?.focus();
        },
      }, t("shell.skip")),
      m(
        "div.shell",
        m(Rail, { isOpen: isRailOpen }),
        isRailOpen && m("button.veil", {
          type: "button",
          "aria-label": t("action.close"),
          onclick: () => {
            isRailOpen = false;
          },
        }),
        m(
          "div.column",
          m(TopBar, {
            isRailOpen,
            ontoggle: () => {
              isRailOpen = !isRailOpen;
            },
            onkeys: () => {
              showsKeys = true;
            },
          }),
          connection.isOffline && m(Banner, { variant: "warn", role: "status", class: "away" }, t("state.offline")),
          m("main#main", m(Page)),
        ),
      ),
      m(Question),
      m(Palette),
      m(Toasts),
      m(Downloads),
      showsKeys && m(KeyHelp, {
        onclose: () => {
          showsKeys = false;
        },
      }),
    ];
  },
};
