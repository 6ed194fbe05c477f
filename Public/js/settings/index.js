// The sections of the settings as links, so that the one that is wanted is found in a long page.

import m from "../m.js";
import { t } from "../i18n.js";

/** `sections` are {id, label}; the element with that id is the section. */
export const SettingsIndex = {
  view: ({ attrs: { sections } }) =>
    m(
      "nav.settings-index",
      { "aria-label": t("settings.index") },
      m("ul", sections.map(({ id, label }) => m("li", { key: id }, m("a", { href: `#${id}` }, label)))),
    ),
};

/** Goes to the section that the address names, once it is there. */
export const followHash = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();
