// The filters of the log: who, what, when. They are in the page's address.

import m from "../m.js";
import { t, capital } from "../i18n.js";
import { route } from "../router.js";
import { session } from "../session.js";
import { Button } from "../ui/button.js";
import { Field, SelectField } from "../ui/field.js";
import { Search } from "../ui/search.js";
import { Typed } from "../ui/typed.js";
import { elsewhere, inApp, pathOf } from "./actions.js";
import { kindWord, verbWord } from "./words.js";

const names = ["actor", "action", "resource", "since", "until"];
const dayText = /^\d{4}-\d\d-\d\d$/;

export function isFiltered({ ...query }) { return names.some((name) => query[name]); }

export const noFilter = Object.fromEntries(names.map((name) => [name, null]));

/** Whether the log of everything is shown, and not only the app's. */
export function showsAll() { return route.query.scope === "all" && session.may("audit:read", null); }

/** Midnight where the reader is, `days` later. The address has days, the API takes times. */
function midnight(text, days) {
  if (!dayText.test(text ?? "")) return text;
  const [year, month, day] = text.split("-").map(Number);
  return new Date(year, month - 1, day + days).toISOString();
}

/** The parameters for the API: the last day is a whole one. */
export function parameters({ actor, action, resource, since, until }) { return { actor, action, resource, since: midnight(since, 0), until: midnight(until, 1) }; }

/** The filter of one kind by its path, or the path itself that a link brought. */
function kindOptions(kinds, app) {
  const { resource } = route.query;
  const options = Object.keys(kinds).map((kind) => ({ value: pathOf(kind, app), label: capital(kindWord(kind, 2)) }));
  const isOther = resource && !options.some(({ value }) => value === resource);
  return [{ value: "", label: t("audit.anyKind") }, ...options, ...(isOther ? [{ value: resource, label: resource }] : [])];
}

/** The actions of the chosen kind, or all, by kind. */
function actionOptions(kinds, app) {
  const { resource, action } = route.query;
  const chosen = Object.keys(kinds).filter((kind) => !resource || resource === pathOf(kind, app) || resource.startsWith(`${pathOf(kind, app)}/`));
  const groups = chosen.map((kind) => ({ label: capital(kindWord(kind, 2)), options: kinds[kind].map((verb) => ({ value: `${kind}.${verb}`, label: verbWord(kind, verb) })) }));
  const isOther = action && !groups.some(({ options }) => options.some(({ value }) => value === action));
  return [{ value: "", label: t("audit.anyAction") }, ...groups, ...(isOther ? [{ value: action, label: action }] : [])];
}

const DayField = {
  view: ({ attrs: { label, value, onchange } }) => m(Field, {
    label, control: (aria) => m(Typed, { ...aria, type: "date", value: value ?? "", onchange: (event) => onchange(event.target.value || null) }),
  }),
};

export const Filters = {
  view: ({ attrs: { list } }) => {
    const { query } = route;
    const app = showsAll() ? null : session.app;
    const kinds = app ? inApp : elsewhere;
    const change = (changes) => list.restart({ entry: null, ...changes });
    return m("div.audit-filters", { role: "group", "aria-label": t("audit.filters") },
      m("div.audit-search", m("span.field-label", { "aria-hidden": "true" }, t("audit.who")), m(Search, { label: t("audit.search"), value: query.actor, onsearch: (actor) => change({ actor }) })),
      m(SelectField, { label: t("audit.kindLabel"), value: query.resource ?? "", options: kindOptions(kinds, app), onchange: (resource) => change({ resource, action: null }) }),
      m(SelectField, { label: t("audit.actionLabel"), value: query.action ?? "", options: actionOptions(kinds, app), onchange: (action) => change({ action }) }),
      m(DayField, { label: t("audit.since"), value: query.since, onchange: (since) => change({ since }) }),
      m(DayField, { label: t("audit.until"), value: query.until, onchange: (until) => change({ until }) }),
      isFiltered(query) && m(Button, { look: "plain", class: "small audit-clear", icon: "x-lg", onclick: () => change(noFilter) }, t("audit.clear")));
  },
};
