// Lists the members that an audit record changed, with names and values as people read them.

import { has, moment, number, t } from "../i18n.js";
import { clauses, enumeration, list } from "../phrases.js";
import { roleWords } from "../access/roles.js";
import { sentence } from "../audience/sentence.js";
import { difference } from "../json/difference.js";
import { partName } from "../problems/part-name.js";
import { isObject } from "../json/paths.js";
import { localWords, scheduleWords } from "../schedule/words.js";

/** Members that follow from others, or that the record's own line says. */
const derived = new Set([
  "id",
  "app_id",
  "version",
  "updated_at",
  "created_at",
  "actions",
  "warnings",
  "password_link",
  "starts_at",
]);
/** Members that are said as a whole. */
const whole = {
  audience: (value) => (Object.keys(value).length ? sentence(value) : t("audience.says.everybody")),
  resolved_audience: (value) => (Object.keys(value).length ? sentence(value) : t("audience.says.everybody")),
  schedule: scheduleWords,
  roles: (value) => list(value.map(roleWords)),
  frequency_cap: ({ count, days }) => t("audit.cap", { count, days }),
  quiet_hours: ({ from, to, policy }) => clauses([`${from}–${to}`, t(`appPage.policy.${policy}`)]),
};
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** [{path, name, before, after}]: values as `valueWords` gives them, null where there is none. */
export function changesOf({ before, after }) {
  if (!isObject(before) && !isObject(after)) {
    return before === after
      ? []
      : [{ path: "", name: t("audit.value"), before: valueWords("", before), after: valueWords("", after) }];
  }
  const isWhole = !isObject(before) || !isObject(after);
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((each) =>
    !derived.has(each)
  );
  return members.flatMap((member) => {
    const [old, next] = [before?.[member], after?.[member]];
    const changes = whole[member] || !isObject(old ?? next)
      ? [{ path: member, before: old, after: next }]
      : difference(old ?? undefined, next ?? undefined, [member]);
    // A new or deleted record is described by what it has.
    return changes.filter((each) => !isWhole || !isEmpty(each.before ?? each.after));
  }).map(({ path, before: old, after: next }) => ({
    path,
    name: nameOf(path),
    before: valueWords(path, old),
    after: valueWords(path, next),
  }));
}

const isEmpty = (value) =>
  value === null || value === undefined || value === "" || value === false ||
  (typeof value === "object" && !Object.keys(value).length);

/** The member in words, or null: then its path says it. */
function nameOf(path) {
  const key = path.replaceAll(".", "_");
  if (has(`audit.member.${key}`)) return t(`audit.member.${key}`);
  const [member] = path.split(".");
  if (["payload", "variants", "content"].includes(member)) {
    const name = partName(path);
    return name && !path.endsWith(name) ? name : null;
  }
  return null;
}

/** A value in words: {text} for one line, {code} for what only its JSON says; null for none. */
function valueWords(path, value) {
  if (value === null || value === undefined || value === "") return null;
  try {
    if (whole[path]) return { text: whole[path](value) };
  } catch {
    // A newer server may say it in another way.
  }
  if (typeof value === "boolean") return { text: t(value ? "audit.yes" : "audit.no") };
  if (typeof value === "number") return { text: number(value) };
  if (typeof value === "string") return { text: textOf(path, value) };
  if (Array.isArray(value) && value.every((each) => !isObject(each) && !Array.isArray(each))) {
    return value.length ? { text: enumeration(value) } : null;
  }
  return Object.keys(value).length ? { code: JSON.stringify(value, null, 2) } : null;
}

function textOf(path, value) {
  if (path === "state" && has(`state.of.${value}`)) return t(`state.of.${value}`);
  return instant.test(value) ? moment(value) : local.test(value) ? localWords(value) : value;
}
