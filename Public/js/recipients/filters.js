// Filters for the list of recipients: outcome, reason, locale and versions at the time, events, and due time.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { localeName } from "../devices/words.js";
import { dueTexts } from "../pushes/words.js";
import { reasonName } from "../reasons.js";
import { route } from "../router.js";
import { Kind } from "../ui/badge.js";
import { SelectField } from "../ui/field.js";
import { terms } from "../ui/ledger.js";
import { notKnown, properties } from "./filter.js";

/** Whether a person was engaged, or opened it: parameters of their own, to which the report leads. */
const flags = {
  engaged: { engaged: "true" },
  notEngaged: { engaged: "false" },
  true: { opened: "true" },
  false: { opened: "false" },
};
const reactions = [
  "engaged",
  "notEngaged",
  "true",
  "false",
  "delivered",
  "presented",
  "action",
  "text",
  "dismissed",
  "converted",
  "influenced",
];

const reactionChanges = (value) => ({
  engaged: null,
  opened: null,
  event: null,
  ...(flags[value] ?? { event: value }),
});
const reactionValue = (
  { engaged, opened, event },
) => (engaged ? (engaged === "true" ? "engaged" : "notEngaged") : opened ?? event ?? "");

const withCount = (name, count) => (count === undefined ? name : t("people.withCount", { name, count: number(count) }));

/**
 * Options with counts of the chosen outcome, and what the address has if it is none of them. `found` are [value,
 * counts].
 */
function options(found, now, label) {
  const all = now && !found.some(([value]) => value === now) ? [[now, {}], ...found] : found;
  return all.map(([value, counts]) => ({
    value,
    label: withCount(label(value), counts[route.query.kind ?? "targeted"]),
  }));
}

function propertyOptions(property, groups = []) {
  const label = (
    value,
  ) => (value === notKnown ? t("people.notKnown") : property === "locale" ? `${localeName(value)} · ${value}` : value);
  return options(groups.map((group) => [group.value || notKnown, group]), route.query[property], label);
}

function dueOptions(dueTimes, now) {
  const texts = dueTexts([...new Set([...dueTimes.map(({ due_at: due }) => due), ...(now ? [now] : [])])]);
  return options(dueTimes.map((each) => [each.due_at, each]), now, (due) => texts.get(due));
}

/** `run`, `list` (a list resource), `choices` (of `choicesOf`, or undefined while they are loaded). */
export const Filters = {
  view: ({ attrs: { run, list, choices } }) => {
    const { kind, reason, deferred, due_at: due } = route.query;
    /** Another outcome; the rest of the choice stays. */
    const filter = (changes) => list.restart({ kind: null, reason: null, deferred: null, ...changes });
    const Chip = ({ key, label, count, isOn, changes }) =>
      m(
        "button.chip",
        {
          key,
          type: "button",
          "aria-pressed": isOn ? "true" : "false",
          onclick: () => filter(changes),
        },
        label,
        " ",
        m("span.soft", number(count)),
      );
    const select = (name, value, given, onchange) =>
      m(SelectField, {
        label: t(`people.name.${name}`),
        hidden: true,
        value,
        onchange,
        options: [{ value: "", label: t(`people.any.${name}`) }, ...given],
      });
    const reasons = run.reasons.filter((each) => !kind || each.outcome === kind);
    const dueTimes = choices?.dueTimes ?? [];
    return [
      m(
        "div.chips",
        { role: "group", "aria-label": t("people.filter") },
        [
          Chip({
            key: "all",
            label: t("people.all"),
            count: run.targeted,
            isOn: !kind && !reason && !deferred,
            changes: {},
          }),
          ...terms.filter((each) => run[each] > 0 || each === kind).map((each) =>
            Chip({
              key: each,
              label: m(Kind, { kind: each }),
              count: run[each],
              isOn: kind === each,
              changes: { kind: each },
            })
          ),
          run.deferred > 0 &&
          Chip({
            key: "deferred",
            label: t("people.onlyDeferred"),
            count: run.deferred,
            isOn: deferred === "true",
            changes: { deferred: "true" },
          }),
        ].filter(Boolean),
      ),
      m(
        "div.device-filters.people-filters",
        { role: "group", "aria-label": t("people.filters") },
        (reasons.length > 1 || reason) && m(SelectField, {
          label: t("people.reason"),
          hidden: true,
          value: reason ? `${kind} ${reason}` : "",
          onchange: (value) => {
            const found = run.reasons.find((each) => `${each.outcome} ${each.reason}` === value);
            filter(found ? { kind: found.outcome, reason: found.reason } : { kind });
          },
          options: [
            { value: "", label: t("people.anyReason") },
            ...reasons.map((each) => ({
              value: `${each.outcome} ${each.reason}`,
              label: withCount(reasonName(each.reason), each.count),
            })),
          ],
        }),
        run.variants && select(
          "variant",
          route.query.variant ?? "",
          run.variants.map((each) => ({
            value: String(each.variant),
            label: withCount(each.name, each[kind ?? "targeted"]),
          })),
          (value) => list.restart({ variant: value }),
        ),
        properties.map((name) => {
          const given = propertyOptions(name, choices?.groups[name]);
          return (given.length > 0 || !choices) &&
            select(name, route.query[name] ?? "", given, (value) => list.restart({ [name]: value }));
        }),
        (dueTimes.length > 1 || due) &&
          select("due_at", due ?? "", dueOptions(dueTimes, due), (value) => list.restart({ due_at: value })),
        select(
          "told",
          reactionValue(route.query),
          reactions.map((value) => ({ value, label: t(`people.told.${value}`) })),
          (value) => list.restart(reactionChanges(value)),
        ),
      ),
    ];
  },
};
