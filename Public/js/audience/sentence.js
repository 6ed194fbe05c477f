// An audience as a sentence in the reader's language.

import { day, has, language, moment, number, t } from "../i18n.js";
import { clauses, conditions, list } from "../phrases.js";
import { countryName } from "./countries.js";
import { isAboutDay } from "./fields.js";

/** `names` has segments and campaigns by id: {segments: {id: name}, campaigns: {id: name}, topics: {key: name}}. */
export function sentence(audience, names = {}) {
  const { include, exclude } = audience ?? {};
  const base = include ? t("audience.says.who", { conditions: part(include, names) }) : t("audience.says.everybody");
  return spaced(
    exclude
      ? t("audience.says.except", { base, conditions: part(exclude, names) })
      : t("audience.says.whole", { base }),
  );
}

/** Chinese has one space between Han characters and Latin letters or digits, and none between Han characters. */
export function spaced(text) {
  if (language !== "zh") return text;
  return text.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "").replace(
    /(?<=\p{Script=Han})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=\p{Script=Han})/gu,
    " ",
  );
}

/** One condition or group in words. */
export function part(json, names, isInner = false) {
  const many = json.all ?? json.any;
  if (many) {
    const text = conditions(many.map((each) => part(each, names, true)), json.all ? "conjunction" : "disjunction");
    return isInner && many.length > 1 ? t("audience.says.group", { text }) : text;
  }
  if (!json.not) return leaf(json, names, "");
  const turned = leaf(json.not, names, "Not");
  return turned ?? t("audience.says.not", { condition: part(json.not, names) });
}

/** A condition, or with `not` its opposite; null where the opposite has no words of its own. */
function leaf(json, names, not) {
  const say = (key, values) => t(`audience.says.${key}${not}`, values);
  if ("tag" in json) return say("tag", { value: json.tag || "…" });
  if ("opted_out" in json) {
    const { opted_out: key } = json;
    return say("optedOut", {
      value: key === "*" ? lower(t("person.allCampaigns")) : names.topics?.[key] ?? (key || "…"),
    });
  }
  if ("user_ids" in json) {
    return json.user_ids.length > 3
      ? say("manyUsers", { count: json.user_ids.length })
      : say("users", { value: list(json.user_ids, "disjunction") || "…" });
  }
  if ("segment" in json) return say("segment", { value: names.segments?.[json.segment] ?? (json.segment || "…") });
  if ("event" in json) return event(json, names, say);
  if ("outcome" in json) return not ? null : outcome(json, names, say);
  if ("event_name" in json) return customEvent(json, say);
  if (json.op === undefined) return null;
  const name = json.field ? lower(t(`audience.field.${json.field}`)) : json.attribute || "…";
  if (json.op === "exists") return say("exists", { name });
  if (not) return null;
  if (isAboutDay(json) && json.op === "anniversary_in_days" && json.value === 0) {
    return say("date.anniversary_today", { name });
  }
  return say(isAboutDay(json) ? `date.${json.op}` : json.op, {
    name,
    value: valueText(json),
    count: typeof json.value === "number" ? json.value : 0,
  });
}

/** "Language" within a sentence; "iOS version" stays. */
const lower = (name) => language === "zh" ? name : name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

function customEvent({ event_name: name, at_least: count = 1, within_days: days, where }, say) {
  const what = say("customEvent", { name: name || "…", count: count ?? 1 });
  const tested = where ? t("audience.says.customEventWhere", { what, tests: propertyTests(where) }) : what;
  return days ? t("audience.says.within", { what: tested, count: days }) : tested;
}

/** The tests of an event's properties in words. */
export function propertyTests(where) {
  const tests = Object.entries(where).map(([attribute, test]) =>
    leaf({ attribute, ...(test !== null && typeof test === "object" ? test : { op: "is", value: test }) }, {}, "")
  );
  return conditions(tests, "conjunction");
}

function outcome({ outcome: kind, without, ...sent }, names, say) {
  const what = say(`outcome.${kind}`, { where: pushes(sent, names) });
  if (!without) return what;
  return t("audience.says.butNot", {
    what,
    not: t(`audience.says.did.${without}Not`, { where: t("audience.says.it") }),
  });
}

/** The pushes that a condition is about: those of a campaign, one of its runs, a variant. */
function pushes({ campaign, run, variant }, names) {
  if (!campaign) return t("audience.says.anyCampaign");
  const name = names.campaigns?.[campaign] ?? names.campaign?.(campaign) ?? t("audience.deletedCampaign");
  const parts = [
    run && (names.runTime?.(run) ? t("audience.says.runOf", { time: names.runTime(run) }) : t("audience.says.oneRun")),
    variant !== undefined && t("audience.says.variant", { name: names.variant?.(run, variant) ?? number(variant + 1) }),
  ].filter(Boolean);
  return parts.length ? t("audience.says.which", { name, parts: clauses(parts) }) : `“${name}”`;
}

function event({ event: kind, within_days: days, action, ...sent }, names, say) {
  const what = say(`did.${kind}${action ? "Named" : ""}`, { where: pushes(sent, names), action: `“${action}”` });
  return days ? t("audience.says.within", { what, count: days }) : what;
}

function valueText({ field, attribute, value, op }) {
  if (attribute !== undefined && (op === "before" || op === "after") && value) {
    return day(Date.parse(`${value}T00:00:00Z`), { timeZone: "UTC", year: true });
  }
  if (Array.isArray(value)) return list(value.map((each) => one(field, each)), "disjunction") || "…";
  if (op === "before" || op === "after") return value ? moment(value) : "…";
  return one(field, value);
}

function one(field, value) {
  if (value === "" || value === null || value === undefined) return "…";
  if (typeof value === "boolean") return t(value ? "audience.yes" : "audience.no");
  if (typeof value === "number") return number(value);
  if (field === "language" && /^[a-z]{2,3}$/.test(value)) return languageName(value);
  if (field === "country" && /^[A-Z]{2}$/.test(value)) return countryName(value);
  return field && has(`audience.word.${value}`) ? t(`audience.word.${value}`) : String(value);
}

const languageName = (code) => new Intl.DisplayNames([language], { type: "language" }).of(code);
