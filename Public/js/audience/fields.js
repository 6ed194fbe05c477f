// The fields of audience conditions, with their operators and inputs. Does not use the DOM.

/** The fields of devices by kind; the order is the one of the list. */
export const fields = {
  language: "language",
  locale: "text",
  country: "country",
  time_zone: "text",
  app_version: "version",
  os_version: "version",
  model: "text",
  last_seen_at: "time",
  created_at: "time",
  authorization_status: "word",
  user_id: "text",
  installation: "secret",
  is_test: "flag",
  environment: "word",
};

export const words = {
  authorization_status: ["authorized", "provisional", "ephemeral", "not_determined", "denied"],
  environment: ["production", "development"],
};

export const events = [
  "engaged",
  "opened",
  "delivered",
  "presented",
  "action",
  "text",
  "dismissed",
  "converted",
  "influenced",
];
/** What became of a campaign's recipients; before the colon the outcome, behind it an event that did not follow. */
export const outcomes = [
  "accepted:engaged",
  "accepted:opened",
  "accepted",
  "rejected",
  "suppressed",
  "expired",
  "cancelled",
  "unknown",
];
/** Events with an action: the button, or the name of the conversion. */
export const eventsWithAction = ["action", "text", "converted"];
/** The days that an event can be back: the API stores them no longer. */
export const longestEventDays = 90;
/** The greatest numbers of a condition about custom events. */
export const customEventCounts = 1000;
export const customEventDays = 365;

/** The operators of attributes that are dates. */
const dateOperators = ["anniversary_in_days", "within_next_days", "within_days", "older_than_days", "after", "before"];

const operatorsOf = {
  text: ["is", "is_not", "in", "not_in", "starts_with", "contains", "exists"],
  language: ["is", "is_not", "in", "not_in", "exists"],
  country: ["is", "is_not", "in", "not_in"],
  secret: ["is", "is_not", "in", "not_in"],
  word: ["is", "is_not", "in", "not_in"],
  version: ["at_least", "is", "below", "above", "at_most", "exists"],
  flag: ["is"],
  time: ["within_days", "older_than_days", "after", "before", "exists"],
  number: ["is", "is_not", "at_least", "above", "at_most", "below", "in", "not_in", "exists"],
  boolean: ["is", "exists"],
  date: [...dateOperators, "is", "exists"],
};

/** "field:locale", "attribute:plan", or the name of a member that only one type has. */
export function typeOf(leaf) {
  if ("field" in leaf) return `field:${leaf.field}`;
  if ("attribute" in leaf) return `attribute:${leaf.attribute}`;
  return ["tag", "opted_out", "user_ids", "segment", "event", "outcome", "event_name"].find((name) => name in leaf);
}

/** Returns true for a condition about an attribute's day. */
export const isAboutDay = ({ attribute, op }) => attribute !== undefined && dateOperators.includes(op);

/** The least number of days that an operator takes; 0 is today. */
export const leastDays = (op) => (op === "anniversary_in_days" ? 0 : 1);

const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text);

/** The kind of a condition's value. `known` are the attributes that were seen: name → {kind}. */
export function kindOf(leaf, known = {}) {
  if ("field" in leaf) return fields[leaf.field] ?? "text";
  if (isAboutDay(leaf)) return "date";
  const value = Array.isArray(leaf.value) ? leaf.value[0] : leaf.value;
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return known[leaf.attribute]?.kind ?? "text";
}

/** The operators that a condition may have; the one that it has is always among them. */
export function operators(leaf, known) {
  const kind = kindOf(leaf, known);
  // Nobody knows whether an attribute that no device has is a date.
  const isUnknown = "attribute" in leaf && !known?.[leaf.attribute] && kind !== "number" && kind !== "boolean";
  const all = isUnknown ? [...operatorsOf.text, ...dateOperators] : operatorsOf[kind];
  return all.includes(leaf.op) ? all : [...all, leaf.op];
}

/** A new condition of a type, without a value. */
export function blank(type, known) {
  const [, kind, name] = /^(field|attribute):(.*)$/.exec(type) ?? [];
  if (kind) {
    const leaf = { [kind]: name };
    leaf.op = operatorsOf[kindOf(leaf, known)][0];
    return { ...leaf, value: emptyValue(leaf, known) };
  }
  return {
    tag: { tag: "" },
    opted_out: { opted_out: "" },
    user_ids: { user_ids: [] },
    segment: { segment: "" },
    event: { event: "engaged", within_days: 30 },
    outcome: { outcome: "accepted", without: "engaged", campaign: "" },
    event_name: { event_name: "", at_least: 1, within_days: 30 },
  }[type];
}

function emptyValue({ op, ...leaf }, known) {
  if (op === "exists") return undefined;
  if (op === "in" || op === "not_in") return [];
  if (op === "anniversary_in_days") return 0;
  if (op.endsWith("_days")) return op === "within_next_days" ? 7 : 30;
  const kind = kindOf(leaf, known);
  return kind === "number"
    ? null
    : kind === "flag" || kind === "boolean"
    ? true
    : kind === "word"
    ? words[leaf.field][0]
    : "";
}

/** The condition with another operator; a value that still fits stays. */
export function withOperator(leaf, op, known) {
  const next = { ...leaf, op };
  const isMany = (name) => name === "in" || name === "not_in";
  const isDays = (name) => name.endsWith("_days");
  const { value } = leaf;
  delete next.value;
  if (op === "exists") return next;
  // A day and another text, or a year's day and a number of days, are never the same.
  const isOther = isDays(op) !== isDays(leaf.op) || leastDays(op) !== leastDays(leaf.op) ||
    (isAboutDay(next) && !isDays(op) && !isDay(value));
  if (value === undefined || isOther) next.value = emptyValue({ ...leaf, value: undefined, op }, known);
  else if (isMany(op)) next.value = Array.isArray(value) ? value : value === "" || value === null ? [] : [value];
  else next.value = Array.isArray(value) ? value[0] ?? emptyValue({ ...leaf, value: undefined, op }, known) : value;
  return next;
}

const isVersion = (text) => /^\d+(\.\d+)*$/.test(text);

/** Returns true if a condition is complete. */
export function isComplete(leaf) {
  if ("tag" in leaf) return leaf.tag !== "";
  if ("opted_out" in leaf) return leaf.opted_out !== "";
  if ("segment" in leaf) return leaf.segment !== "";
  if ("user_ids" in leaf) return leaf.user_ids.length > 0;
  if ("event" in leaf) {
    const { within_days: days, campaign } = leaf;
    return days === undefined || days === null
      ? Boolean(campaign)
      : Number.isInteger(days) && days >= 1 && days <= longestEventDays;
  }
  if ("outcome" in leaf) return leaf.campaign !== "";
  if ("event_name" in leaf) {
    const isWhole = (number, most) => Number.isInteger(number) && number >= 1 && number <= most;
    return leaf.event_name !== "" && isWhole(leaf.at_least ?? 1, customEventCounts) &&
      isWhole(leaf.within_days, customEventDays);
  }
  if (leaf.attribute === "") return false;
  if (leaf.op === "exists") return true;
  if (Array.isArray(leaf.value)) return leaf.value.length > 0;
  if (leaf.op.endsWith("_days")) return Number.isInteger(leaf.value) && leaf.value >= leastDays(leaf.op);
  if (fields[leaf.field] === "version") return isVersion(leaf.value);
  return leaf.value !== "" && leaf.value !== null && leaf.value !== undefined;
}
