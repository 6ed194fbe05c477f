// A person with access in words: their name, and the state of their account.

import m from "../m.js";
import { t } from "../i18n.js";
import { Badge } from "../ui/badge.js";
import { isMe } from "./roles.js";

export function nameOf({ name, email }) {
  return name || email;
}

/** "disabled", "invited" while there is no password, or "active". */
export function stateOf({ disabled_at: disabled, has_password: hasPassword }) {
  return disabled ? "disabled" : hasPassword ? "active" : "invited";
}

export const PersonState = {
  view: ({ attrs: { person } }) => {
    const state = stateOf(person);
    return m(Badge, {
      variant: { disabled: "danger", invited: "warn", active: "good" }[state],
      title: t(`access.state.${state}.text`),
    }, t(`access.state.${state}.name`));
  },
};

/** The badge beside one's own name. */
export const Me = { view: ({ attrs: { person } }) => (isMe(person) ? m(Badge, t("access.you")) : null) };

const browsers = [["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], [
  "Safari/",
  "Safari",
], ["curl/", "curl"]];
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Mac OS X", "macOS"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** "Firefox on macOS" from a browser's user agent; what is not known stays as it is. */
export function deviceWords(agent) {
  const [browser, system] = [browsers, systems].map((known) => known.find(([mark]) => agent.includes(mark))?.[1]);
  if (browser && system) return t("account.browserOn", { browser, system });
  return browser ?? system ?? (agent || t("account.unknownDevice"));
}
