// The filters of the log: who, what, when. They are in the page's address.

import m from "../m.js";
import { t } from "../i18n.js";
import { capital } from "../phrases.js";
import { route } from "../router.js";
import { session } from "../session.js";
import { midnightOf } from "../local-days.js";
import { Button } from "../ui/button.js";
import { DayField } from "../ui/day-field.js";
import { SelectField } from "../ui/field.js";
import { Search } from "../ui/search.js";
import { actionOf, elsewhere, inApp, pathOf } from "./actions.js";
import { kindWord, verbWord } from "./words.js";

const names = ["actor", "action", "resource", "since", "until"];

export function isFiltered({ ...query }) {
  return names.some((name) => query[name]);
}

export const noFilter = Object.fromEntries(names.map((name) => [name, null]));

/** Returns true if the log of everything is shown, not only the app's. */
export function showsAll() {
  return route.query.scope === "all" && session.may("audit:read", null);
}

/** The address has days, or the times of a link; the API takes times. */
const timeOf = (text, days) => midnightOf(text, days)?.toISOString() ?? text;

/** The parameters for the API: the last day is a whole one. */
export function parameters({ actor, action, resource, since, until }) {
  return { actor, action, resource, since: timeOf(since, 0), until: timeOf(until, 1) };
}

/** The filter of one kind by its path, or the path itself that a link brought. */
function kindOptions(kinds, app) {
  const { resource } = route.query;
  const options = Object.keys(kinds).map((kind) => ({ value: pathOf(kind, app), label: capital(kindWord(kind, 2)) }));
  const isOther = resource && !options.some(({ value }) => value === resource);
  return [
    { value: "", label: t("audit.anyKind") },
    ...options,
    ...(isOther ? [{ value: resource, label: resource }] : []),
  ];
}

/** The actions of the chosen kind, or all, by kind. */
function actionOptions(kinds, app) {
  const { resource, action } = route.query;
  const chosen = Object.keys(kinds).filter((kind) =>
    !resource || resource === pathOf(kind, app) || resource.startsWith(`${pathOf(kind, app)}/`)
  );
  const groups = chosen.map((kind) => ({
    label: capital(kindWord(kind, 2)),
    options: kinds[kind].map((verb) => actionOf(kind, verb)).map((value) => ({ value, label: verbWord(value) })),
  }));
  const isOther = action && !groups.some(({ options }) => options.some(({ value }) => value === action));
  return [
    { value: "", label: t("audit.anyAction") },
    ...groups,
    ...(isOther ? [{ value: action, label: action }] : []),
  ];
}

export const Filters = {
  view: ({ attrs: { list } }) => {
    const { query } = route;
    const app = showsAll() ? null : session.app;
    const kinds = app ? inApp : elsewhere;
    const change = (changes) => list.restart({ entry: null, ...changes });
    return m(
      "div.audit-filters",
      { role: "group", "aria-label": t("audit.filters") },
      m(
        "div.audit-search",
        m("span.field-label", { "aria-hidden": "true" }, t("audit.who")),
        m(Search, { label: t("audit.search"), value: query.actor, onsearch: (actor) => change({ actor }) }),
      ),
      m(SelectField, {
        label: t("audit.kindLabel"),
        value: query.resource ?? "",
        options: kindOptions(kinds, app),
        onchange: (resource) => change({ resource, action: null }),
      }),
      m(SelectField, {
        label: t("audit.actionLabel"),
        value: query.action ?? "",
        options: actionOptions(kinds, app),
        onchange: (action) => change({ action }),
      }),
      m(DayField, { label: t("audit.since"), value: query.since, onchange: (since) => change({ since }) }),
      m(DayField, { label: t("audit.until"), value: query.until, onchange: (until) => change({ until }) }),
      isFiltered(query) &&
        m(
          Button,
          { variant: "plain", class: "small audit-clear", icon: "x-lg", onclick: () => change(noFilter) },
          t("list.clearFilters"),
        ),
    );
  },
};
