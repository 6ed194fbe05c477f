// Draws the frame around every page: the rail with the app and its pages, the top bar, messages, questions.

import m from "./m.js";
import { chooseLanguage, language, languages, t } from "./i18n.js";
import { permissionFor } from "./access.js";
import { api } from "./api.js";
import { connection } from "./connection.js";
import { onKey } from "./keys.js";
import { goToSignIn } from "./sign-in-state.js";
import { route } from "./router.js";
import { page, session } from "./session.js";
import { mayOpen, setup, work } from "./navigation.js";
import { Bell } from "./ui/bell.js";
import { Badge } from "./ui/badge.js";
import { Banner } from "./ui/banner.js";
import { Button } from "./ui/button.js";
import { Question } from "./ui/dialog.js";
import { Downloads } from "./ui/download.js";
import { Icon } from "./ui/icon.js";
import { KeyHelp } from "./ui/key-help.js";
import { Menu } from "./ui/menu.js";
import { UnavailablePage } from "./ui/unavailable-page.js";
import { openPalette, Palette } from "./palette/palette.js";
import { Skeleton } from "./ui/skeleton.js";
import { toastError, Toasts } from "./ui/toast.js";

/** Pages that belong to one of the rail without being below its address. */
const under = { "/devices": ["/people"] };

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
  const title = [heading.textContent, session.thisApp?.name, "Belfry"].filter(Boolean).join(" · ");
  if (document.title !== title) document.title = title;
  if (!isArriving || route.isLoading) return;
  isArriving = false;
  if (document.activeElement === document.body || document.activeElement?.closest(".rail, .top")) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

export async function signOut() {
  await api.delete("/v1/session");
  session.clear();
  history.replaceState({}, "", "/");
  goToSignIn(null);
}

function chooseTheme(theme) {
  if (theme) {
    localStorage.setItem("belfry.theme", theme);
    document.documentElement.dataset.theme = theme;
  } else {
    localStorage.removeItem("belfry.theme");
    delete document.documentElement.dataset.theme;
  }
}

/** The app beside a page that belongs to none: the one of the address, or the last one. A new app has none yet. */
function shownApp() {
  if (location.pathname.startsWith("/setup")) return null;
  const [, id] = /^\/a\/([^/]+)/.exec(location.pathname) ?? [];
  return session.apps.find((each) => each.id === id)?.id ?? session.lastApp?.id ?? null;
}

/** The same kind of page in another app. */
function inOtherApp(app) {
  const [, , , kind] = location.pathname.split("/");
  return page(kind ? `/${kind}` : "", app);
}

const AppSwitcher = {
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

const Rail = {
  view: () => {
    const here = location.pathname;
    const entry = (place) => {
      if (!mayOpen(place)) return null;
      const [path, name, icon] = place;
      const href = page(path);
      const isHere = [href, ...(under[path] ?? []).map((each) => page(each))].some((each) =>
        here === each || (path && here.startsWith(`${each}/`))
      );
      return m(
        "li",
        { key: name },
        m(
          "a",
          { href, "aria-current": isHere ? "page" : undefined },
          m(Icon, { name: icon }),
          m("span", t(`nav.${name}`)),
        ),
      );
    };
    return m(
      "aside.rail",
      { class: isRailOpen ? "open" : "" },
      m("a.brand", { href: "/" }, m(Bell), m("span", "Belfry")),
      session.current && m(AppSwitcher),
      session.app &&
        m(
          "nav",
          { "aria-label": t("nav.label") },
          m("ul", work.map(entry).filter(Boolean)),
          m("h2.rail-head", t("nav.setup")),
          m("ul", setup.map(entry).filter(Boolean)),
        ),
    );
  },
};

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

const Top = {
  view: () =>
    m(
      "header.top",
      m("button.rail-toggle.button.plain", {
        type: "button",
        "aria-label": t("nav.open"),
        "aria-expanded": isRailOpen ? "true" : "false",
        onclick: () => {
          isRailOpen = !isRailOpen;
        },
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
              onclick: () => {
                showsKeys = true;
              },
            },
            { label: t("shell.signOut"), icon: "box-arrow-right", onclick: () => signOut().catch(toastError) },
          ],
        }),
      ),
    ),
};

const Page = {
  view: () => {
    const { component, params, arrival, error, isLoading } = route;
    if (error) {
      return m(
        Banner,
        { variant: "danger", role: "alert" },
        t("error.module"),
        m(Button, { variant: "plain", onclick: () => location.reload() }, t("action.reload")),
      );
    }
    if (!component) return isLoading ? m(Skeleton, { rows: 6 }) : null;
    if (params.app && !session.thisApp) {
      return m(
        UnavailablePage,
        { title: t("error.noApp"), text: t("error.noAppText") },
        m(Button, { variant: "strong", href: "/" }, t("action.home")),
      );
    }
    const needed = permissionFor(route.path);
    if (session.app && needed && !session.may(needed)) {
      const isWriting = needed.endsWith(":write");
      return m(
        UnavailablePage,
        { title: t(isWriting ? "error.mayNotWrite" : "error.mayNot"), text: t("error.mayNotText") },
        m(Button, { variant: "strong", href: "/" }, t("action.home")),
      );
    }
    return [m(component, { key: arrival, params, step: params.step })];
  },
};

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
        m(Rail),
        isRailOpen && m("button.veil", {
          type: "button",
          "aria-label": t("action.close"),
          onclick: () => {
            isRailOpen = false;
          },
        }),
        m(
          "div.column",
          m(Top),
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
