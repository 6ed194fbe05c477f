// Sample people: real devices, with whose values the preview is drawn, and the attributes that they have.

import { all, api } from "../api.js";
import { merged, valuesOf } from "../audience/device-values.js";
import { deviceValues } from "../audience/values.js";
import { put } from "../json/paths.js";
import { inApp } from "../session.js";
import { builtIn } from "./liquid.js";

/** The sample of devices. Each is about 700 bytes of what an editor loads over a slow line: 300 KB at most. */
const sampleSize = 40;

/** Loads {people, attributes, values, locales, categories, media}. A part that may not be read is empty. */
export async function loadPreviewData() {
  const none = () => [];
  const [devices, categories, media, values] = await Promise.all([
    api.get(inApp("/devices"), { limit: sampleSize }).then(({ data }) => data).catch(none),
    all(inApp("/categories")).catch(none),
    all(inApp("/media")).catch(none),
    deviceValues().catch(() => null),
  ]);
  const people = devices.filter(({ kind }) => kind === "alert").map(person);
  const sampled = valuesOf(devices), found = merged(values, sampled);
  return {
    people: varied(people),
    attributes: attributesOf(found, people[0]),
    values: found,
    locales: (values ?? sampled).fields.locale?.map(({ value }) => value) ?? [],
    categories,
    media,
  };
}

/** Reads {id, name, locale, values, as} out of a device; `as` is what a preview takes. */
function person(device) {
  const attributes = { ...device.person?.attributes, ...device.attributes };
  const { user_id, locale, time_zone, os_version, app_version, model } = device;
  const language = locale?.split("-")[0];
  return {
    id: device.installation,
    as: { installation: device.installation },
    name: attributes.first_name ?? device.nickname ?? user_id ?? device.installation.slice(0, 8),
    locale: locale ?? "en",
    attributes,
    values: { user_id, locale, language, time_zone, os_version, app_version, model, ...attributes, attributes },
  };
}

/** Somebody who is no device, with these values; of a field without a value nothing is known. */
export function madeUp(id, locale, { attributes = {}, ...fields }) {
  return {
    id,
    name: "",
    locale,
    values: { ...fields, locale, language: locale.split("-")[0], ...attributes, attributes },
    as: { recipient: { ...fields, locale, attributes } },
  };
}

/** The longest known value of each field and attribute, as `madeUp` takes them. */
export function longestOf({ attributes = {}, fields = {} } = {}) {
  const longest = (choices) =>
    choices.map(({ value }) => value).reduce(
      (one, other) => (String(other).length > String(one).length ? other : one),
      choices[0]?.value,
    );
  const known = Object.entries(attributes).map(([name, { values }]) => [name, longest(values)]);
  return {
    ...Object.fromEntries(
      ["user_id", "time_zone", "os_version", "app_version", "model"].map((name) => [name, longest(fields[name] ?? [])]),
    ),
    attributes: known.reduce(
      (all, [name, value]) => (value === undefined ? all : put(all, name.split("."), value)),
      {},
    ),
  };
}

const languageOf = (locale) => locale.split(/[-_]/)[0].toLowerCase();

/**
 * The person as whom the phone shows a push: the chosen one; otherwise one who has the language of the shown text, so
 * that the clock and the text speak the same language. Undefined if there are no people.
 */
export function personFor(people, chosen, locale) {
  return people.find(({ id }) => id === chosen) ?? people.find((each) => each.locale === locale) ??
    people.find((each) => languageOf(each.locale) === languageOf(locale)) ?? people[0];
}

/** At most twelve, with as many languages as there are. */
function varied(people) {
  const seen = new Set();
  const first = people.filter(({ locale }) => !seen.has(locale) && seen.add(locale));
  return [...first, ...people.filter((each) => !first.includes(each))].slice(0, 12);
}

/**
 * [{name, share, sample}]: attributes with the share of devices that have one, most frequent first; then the built-in
 * ones.
 */
function attributesOf({ attributes, has }, person) {
  const found = Object.entries(attributes)
    .map(([name, { share, values: [first] }]) => ({ name, share, sample: write(first?.value ?? person?.values[name]) }))
    .sort((one, other) => other.share - one.share);
  return [...found, ...builtIn.map((name) => ({ name, share: has[name] ?? 0, sample: write(person?.values[name]) }))];
}

const write = (value) =>
  value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
