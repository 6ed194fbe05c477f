// The reader's language: texts, numbers, dates.

import { presentZone } from "./zone-names.js";

/** The languages, each in its own words. */
export const languages = { en: "English", zh: "简体中文" };
const item = "belfry.language";

let texts = {};
/** "en" or "zh". */
export let language = "en";
/** The locale for Intl: the reader's own variety of English, or Chinese. */
export let locale = "en-GB";

/** The language that was chosen, or else the browser's. */
export function preferredLanguage() {
  const chosen = localStorage.getItem(item);
  if (chosen in languages) return chosen;
  return navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in languages) ?? "en";
}

/**
 * Parts of the texts that only some pages need, `text/<part>/<language>.js`: the promise of each that was asked for.
 */
const parts = new Map();

async function read(name) {
  return (await import(`./text/${name}.js`)).default;
}

/** Loads a part of the texts, once; the router does so with the page that needs it. */
export function loadTexts(part) {
  if (!parts.has(part)) {
    parts.set(
      part,
      add(part).catch((error) => {
        parts.delete(part);
        throw error;
      }),
    );
  }
  return parts.get(part);
}

async function add(part) {
  const before = language;
  const more = await read(`${part}/${before}`);
  // The reader chose another language meanwhile.
  if (language !== before) await add(part);
  else Object.assign(texts, more);
}

/** Loads a language's texts. The caller draws the page again. */
export async function setLanguage(next) {
  const known = [...parts.keys()];
  const all = await Promise.all([next, ...known.map((part) => `${part}/${next}`)].map(read));
  // A page asked for another part meanwhile. The browser keeps the parts that were read.
  if ([...parts.keys()].some((part) => !known.includes(part))) return setLanguage(next);
  texts = Object.assign({}, ...all);
  language = next;
  locale = next === "zh" ? "zh-CN" : navigator.languages.find((each) => each.startsWith("en")) ?? "en-GB";
  formats.clear();
  document.documentElement.lang = next === "zh" ? "zh-Hans" : locale;
}

export function chooseLanguage(next) {
  localStorage.setItem(item, next);
  return setLanguage(next);
}

/**
 * The text of a key like "list.empty", with `{name}` replaced by `values.name`; numbers are formatted. A text with
 * plural forms, {one, other}, is chosen by `values.count`.
 */
export function t(key, values = {}) {
  let text = key.split(".").reduce((part, name) => part?.[name], texts);
  if (text && typeof text === "object") text = text[plural(values.count)] ?? text.other;
  if (typeof text !== "string") {
    console.error(`There is no text "${key}" in ${language}.`);
    return key;
  }
  return text.replace(/( ?)\{(\w+)\}( ?)/g, (hole, spaceBefore, name, spaceAfter, start) => {
    const value = values[name];
    if (value === undefined) return hole;
    const shown = typeof value === "number" ? number(value) : `${value}`;
    const [before, after] = [text.charAt(start - 1), text.charAt(start + hole.length)];
    return spaceBetween(before, shown, spaceBefore) + shown + spaceBetween(shown.slice(-1), after, spaceAfter);
  });
}

const han = /\p{Script=Han}/u, latin = /[\p{Script=Latin}\p{Nd}]/u;
/**
 * The space between two texts that are put together; `written` is the one that the text has. Chinese has a space where
 * its characters meet letters or figures, and none between its characters, whatever a value begins and ends with.
 */
export function spaceBetween(before, after, written = "") {
  const next = after.charAt(0);
  if (han.test(before) && han.test(next)) return "";
  return (han.test(before) && latin.test(next)) || (latin.test(before) && han.test(next)) ? " " : written;
}

/** What Intl writes without spaces: "3 天后" of "3天后". Dates stay, as Chinese writes them: "11月27日". */
const spaced = (text) => text.replace(/(?<=\p{Nd})(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\p{Nd})/gu, " ");

/** Returns true if there is such a text: for codes of the server that newer versions add. */
export function has(key) {
  return typeof key.split(".").reduce((part, name) => part?.[name], texts) === "string";
}

/**
 * The language of a message of the server, as the attribute `lang` of what shows it: English, unless it is in the
 * reader's.
 */
export function langOf(text) {
  return language !== "en" && /[a-z]{2} [a-z]/i.test(text) && !/[\u3400-\u9fff]/.test(text) ? "en" : undefined;
}

/** The text as parts, so that a value may be an element: `rich("a.b", {name: m("b", …)})`. */
export function rich(key, values = {}) {
  const plain = Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== "object"));
  return t(key, plain).split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] ?? "" : part));
}

// MARK: Formats. Each Intl object is made once for a language.

const formats = new Map();

export function format(kind, options) {
  const key = kind + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl[kind](locale, options));
  return formats.get(key);
}

function plural(count) {
  return format("PluralRules", {}).select(count ?? 0);
}

export function number(value) {
  return value === null || value === undefined ? "–" : format("NumberFormat", {}).format(value);
}

/** For axes only: 1.2M, 120万. */
export function shortNumber(value) {
  return format("NumberFormat", { notation: "compact", maximumSignificantDigits: 2 }).format(value);
}

/** A share in percent, rounded half up. "100%" and "0%" only if they are exact: else "99.9%" and "<0.1%". */
export function share(part, all, digits = 1) {
  if (!all || part === null || part === undefined) return "–";
  const percent = (value, fraction) =>
    format("NumberFormat", { style: "percent", minimumFractionDigits: fraction, maximumFractionDigits: fraction })
      .format(value);
  if (part === 0 || part === all) return percent(part / all, 0);
  const unit = 10 ** (digits + 2);
  // The smallest part beyond a half is lost in a division of fractions, like 0.285 of 1.
  const steps = Math.floor((part * unit) / all + 0.5 + 1e-9);
  if (steps === 0) return `<${percent(1 / unit, digits)}`;
  return percent((steps === unit && part < all ? unit - 1 : steps) / unit, digits);
}

/** "3 min", "1.2 MB"; units as Intl names them. */
export function amount(count, unit, options) {
  return spaced(format("NumberFormat", { style: "unit", unit, unitDisplay: "short", ...options }).format(count));
}

export function bytes(count) {
  return `${number(count)} B`;
}

// MARK: Times

/** The reader's time zone, and its city, with which clock times are named. */
export const zone = presentZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
export function city(name = zone) {
  return name.split("/").pop().replaceAll("_", " ");
}

/** A clock time without its zone; say it beside. */
export function clock(time, { seconds = false, timeZone = zone } = {}) {
  const fields = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
  return format("DateTimeFormat", seconds ? { ...fields, second: "2-digit" } : fields).format(new Date(time));
}

export function day(time, { year = "auto", weekday = false, timeZone = zone } = {}) {
  const date = new Date(time);
  return format("DateTimeFormat", { ...dayFields(date, year), timeZone, ...(weekday && { weekday: "short" }) })
    .format(date);
}

/** The year of another year is shown too. */
function dayFields(date, year) {
  const showsYear = year === true || (year === "auto" && date.getFullYear() !== new Date().getFullYear());
  return { day: "numeric", month: "short", ...(showsYear && { year: "numeric" }) };
}

/** "Mon 23 Nov, 09:00": a day of the week with a clock time, as the language puts them together. */
export function dayAndClock(time, { timeZone = zone, year = "auto" } = {}) {
  return format("DateTimeFormat", {
    weekday: "short",
    ...dayFields(new Date(time), year),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).format(new Date(time));
}

/** "23 Nov 09:00 Berlin", or today only "09:00 Berlin". */
export function moment(time, { timeZone = zone, seconds = false } = {}) {
  const isToday = day(time, { year: true, timeZone }) === day(Date.now(), { year: true, timeZone });
  const text = clock(time, { seconds, timeZone });
  return `${isToday ? "" : `${day(time, { timeZone })} `}${text} ${city(timeZone)}`;
}

/** Midnight before a time, as a number of days. */
function dayNumber(time) {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

/**
 * "in 2 hours", "tomorrow", "3 minutes ago". Show it beside the absolute time only. From a day on, midnights are
 * counted.
 */
export function relative(time, now = Date.now()) {
  const seconds = Math.round((new Date(time) - now) / 1000);
  const [unit, size] = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]].find(
    ([, each]) => Math.abs(seconds) >= each,
  ) ?? ["second", 1];
  return spaced(
    format("RelativeTimeFormat", { numeric: "auto", style: "short" }).format(
      unit === "day" ? dayNumber(time) - dayNumber(now) : Math.trunc(seconds / size),
      unit,
    ),
  );
}

/** "today", "tomorrow", "in 3 days". */
export function relativeDay(time, now = Date.now()) {
  return spaced(
    format("RelativeTimeFormat", { numeric: "auto", style: "short" }).format(dayNumber(time) - dayNumber(now), "day"),
  );
}

/** "1 min 12 s" from milliseconds. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [["day", Math.floor(seconds / 86_400)], ["hour", Math.floor(seconds / 3_600) % 24], [
    "minute",
    Math.floor(seconds / 60) % 60,
  ], ["second", seconds % 60]];
  const first = parts.findIndex(([, count]) => count > 0);
  const shown = first < 0 ? [["second", 0]] : parts.slice(first, first + 2).filter(([, count]) => count > 0);
  return shown.map(([unit, count]) => amount(count, unit)).join(" ");
}
