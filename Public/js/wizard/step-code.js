// Step 3: the code that the app's developer pastes, with a publishable key that is made for it.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { copy } from "../ui/copy.js";
import { Tabs } from "../ui/tabs.js";
import { curl, delegate, isLoopback, swift } from "./snippet.js";
import { keep, kept } from "./state.js";

export function CodeStep() {
  let tab = "swift";
  let problem = null;
  let isMaking = false;

  async function makeKey() {
    problem = null;
    try {
      const { key } = await api.post(inApp("/keys"), { name: t("wizard.code.keyName"), kind: "publishable" });
      keep(session.app, { key });
    } catch (error) {
      problem = error;
    }
    m.redraw();
  }
  return {
    // The first key needs no question; later ones do, because the key of an app that is out already goes on.
    oninit: ({ attrs: { state, reload } }) => {
      if (kept(session.app).key || !session.may("keys") || state.keys.length) return;
      isMaking = true;
      makeKey().then(() => {
        isMaking = false;
        return reload();
      });
    },
    view: ({ attrs: { state, reload } }) => {
      const { key } = kept(session.app);
      const known = state.keys?.[0];
      const filled = { api: `${location.origin}/v1${inApp().slice(3)}`, key: key ?? t("wizard.code.placeholder") };
      const files = tab === "swift"
        ? [["Belfry.swift", swift(filled)], ["AppDelegate.swift", delegate()]]
        : [["Terminal", curl(filled)]];
      return m(
        "div.stack",
        problem &&
          m(
            Banner,
            { variant: "danger", role: "alert" },
            problem.message,
            m(Button, { variant: "plain", onclick: makeKey }, t("action.retry")),
          ),
        !session.may("keys") && m(Banner, { variant: "warn" }, t("wizard.code.noKeys")),
        !key && known &&
          m(
            Banner,
            m("p", t("wizard.code.known", { prefix: known.prefix, name: known.name })),
            m(
              "div.row.banner-row",
              m(Button, { class: "small", onclick: () => makeKey().then(reload) }, t("wizard.code.newKey")),
            ),
          ),
        isLoopback(location.hostname) &&
          m(Banner, { variant: "warn" }, t("wizard.code.loopback", { host: location.host })),
        m(Tabs, {
          label: t("wizard.code.kinds"),
          active: tab,
          onchange: (id) => {
            tab = id;
          },
          tabs: [{ id: "swift", label: t("wizard.code.swift") }, { id: "curl", label: t("wizard.code.curl") }],
        }),
        m("p.soft", t(`wizard.code.${tab}Help`)),
        files.map(([name, text]) =>
          m(
            "figure.code",
            { key: name },
            m(
              "figcaption",
              m("span", name),
              m(Button, {
                class: "small",
                icon: "clipboard",
                reason: isMaking || (name !== "AppDelegate.swift" && !key) ? t("wizard.code.noKeyYet") : undefined,
                onclick: () => copy(text),
              }, t("action.copy")),
            ),
            m("pre", { tabindex: 0, "aria-label": name }, m("code", highlight(text, filled))),
          )
        ),
        m(
          "div.row",
          m(Button, {
            variant: "strong",
            onclick: () => {
              keep(session.app, { sawCode: true });
              navigate(page("/setup/push"));
            },
          }, t("wizard.code.next")),
        ),
      );
    },
  };
}

/** Marks what was filled in. */
function highlight(text, { api: address, key }) {
  const parts = text.split(
    new RegExp(`(${[address, key].map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`),
  );
  return parts.map((part) => (part === address || part === key ? m("mark", part) : part));
}
