// The conditions of an audience, which the server tells as lines of English: read, and said as the audience's own page
// says them. Does not use the DOM or the network.

import { t } from "../i18n.js";
import { capital } from "../phrases.js";
import { part, spaced } from "../audience/sentence.js";

const fields = {
  "user id": "user_id",
  installation: "installation",
  locale: "locale",
  language: "language",
  "time zone": "time_zone",
  country: "country",
  "iOS version": "os_version",
  "app version": "app_version",
  model: "model",
  environment: "environment",
  "authorization status": "authorization_status",
  added: "created_at",
  "last seen": "last_seen_at",
};
const verbs = {
  delivered: "was delivered",
  presented: "was shown",
  opened: "opened",
  dismissed: "dismissed",
  text: "replied(?: (?<button>.+?))? to",
  action: "tapped (?:a button|(?<tapped>.+?)) of",
  converted: "converted(?: (?<conversion>.+?))? after",
  influenced: "opened the app soon after",
  engaged: "engaged with",
};
const groups = { "all of": "all", "any of": "any", not: "not" };

const unquoted = (text) => text.replace(/^“(.*)”$/s, "$1");
const single = (text) => ({ true: true, false: false })[text] ?? unquoted(text);
/** "a, b or c" as parts; what is in quotes stays together. */
const listed = (text) => text.split(/(?:, | or )(?![^“]*”)/);
const days = (text) => (text === "day" ? 1 : Number.parseInt(text, 10));

/**
 * Patterns of statements about a field or an attribute; the first that matches is used: [expression, operator, reader
 * of the value].
 */
const tests = [
  [/^is known()$/, "exists", () => true],
  [/^is not (.+)$/s, "is_not", single],
  [/^is (.+)$/s, "is", single],
  [/^begins with (.+)$/s, "starts_with", unquoted],
  [/^contains (.+)$/s, "contains", unquoted],
  [/^at least (\S+)$/, "at_least", String],
  [/^below (\S+)$/, "below", String],
  [/^above (\S+)$/, "above", String],
  [/^at most (\S+)$/, "at_most", String],
  [/^before (\S+)$/, "before", String],
  [/^after (\S+)$/, "after", String],
  [/^in the last (day|\d+ days)$/, "within_days", days],
  [/^more than (day|\d+ days) ago$/, "older_than_days", days],
];
const lists = { is: "in", is_not: "not_in" };

function test(text) {
  const [expression, op, value] = tests.find(([each]) => each.test(text)) ?? [];
  if (!op) return null;
  const [, found] = expression.exec(text);
  if (!lists[op] || listed(found).length === 1) return { op, value: value(found) };
  return isCut(found) ? null : { op: lists[op], value: listed(found).map(unquoted) };
}

/** The server names the first three of a long list. */
const isCut = (text) => / or one of \d+ more$/.test(text);

const sent = "campaign (?<campaign>\\d+)(?: run (?<run>\\d+))?(?: variant (?<variant>\\d))?";
const pushes = ({ campaign, run, variant }) => ({
  ...(campaign && { campaign }),
  ...(run && { run }),
  ...(variant && { variant: Number(variant) }),
});

function outcome(text) {
  const found = new RegExp(`^(?<outcome>[a-z]+) in ${sent}(?: without (?<without>[a-z]+))?$`).exec(text)?.groups;
  return found &&
    { outcome: found.outcome, ...pushes(found), ...(found.without && { without: found.without }) };
}

function event(text) {
  for (const [kind, verb] of Object.entries(verbs)) {
    const found = new RegExp(
      `^${verb} (?:any campaign|${sent})(?: in the last (?<days>day|\\d+ days))?$`,
      "s",
    ).exec(text)?.groups;
    if (!found) continue;
    const action = found.button ?? found.tapped ?? found.conversion;
    return {
      event: kind,
      ...pushes(found),
      ...(found.days && { within_days: days(found.days) }),
      ...(action && { action: unquoted(action) }),
    };
  }
  return null;
}

/** A line as the condition that it was in the audience's JSON; null if it is not one that this page knows. */
export function read(text) {
  if (text === "test device" || text === "no test device") {
    return { field: "is_test", op: "is", value: text === "test device" };
  }
  if (text === "opted out of all campaigns") return { opted_out: "*" };
  const known = { tag: /^tag (.+)$/s, opted_out: /^opted out of (\S+)$/ };
  for (const [name, expression] of Object.entries(known)) {
    if (expression.test(text)) return { [name]: unquoted(expression.exec(text)[1]) };
  }
  const custom = /^did (.+?)(?: at least (\d+) times)? in the last (day|\d+ days)( where .+)?$/s.exec(text);
  // Tests of properties are left in the server's words.
  if (custom) {
    const [, name, count, within, where] = custom;
    return where ? null : {
      event_name: unquoted(name),
      at_least: Number(count ?? 1),
      within_days: days(within),
    };
  }
  const did = event(text) ?? outcome(text);
  if (did) return did;
  if (text.startsWith("user id is ")) {
    return isCut(text) ? null : { user_ids: listed(text.slice(11)).map(unquoted) };
  }
  const inner = /^not ([^(].*)$/s.exec(text);
  if (inner) {
    const condition = read(inner[1]);
    return condition && { not: condition };
  }
  const [, name, rest] =
    /^(.+?) ((?:is|begins with|contains|at least|below|above|at most|before|after|in the last|more than) .+)$/s.exec(
      text,
    ) ?? [];
  const found = name && test(rest);
  return found ? { ...(fields[name] ? { field: fields[name] } : { attribute: name }), ...found } : null;
}

/** The ids of the campaigns that the lines name. */
export function campaignsIn(conditions) {
  const known = conditions.map(({ text }) => read(text)).map((each) => each?.campaign ?? each?.not?.campaign);
  return [...new Set(known.filter(Boolean))];
}

/**
 * A line in the reader's language, and whether it could be read: else it is the server's. `names` are those of
 * campaigns by id.
 */
export function conditionText(text, names = {}) {
  if (groups[text]) return { text: t(`why.${groups[text]}`), isOwn: true };
  const condition = read(text);
  if (!condition) return { text, isOwn: false };
  const words = spaced(part(condition, { campaigns: names }));
  // The names of attributes are the app's.
  return { text: "attribute" in condition ? words : capital(words), isOwn: true };
}

/** The lines as a tree: those that are deeper than the one before are its `parts`. */
export function nested(conditions) {
  const root = { depth: -1, parts: [] };
  const path = [root];
  for (const each of conditions) {
    while (path.at(-1).depth >= each.depth) path.pop();
    const node = { ...each, parts: [] };
    path.at(-1).parts.push(node);
    path.push(node);
  }
  return root.parts;
}
