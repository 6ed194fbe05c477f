// Sample people: real devices, with whose values the preview is drawn, and the attributes that they have.

import { all, api } from "../api.js";
import { inApp } from "../session.js";
import { builtIn } from "./liquid.js";

/** How many devices are looked at. The API has no list of attributes, so what they have is taken as known. */
const limit = 100;

/** Loads {people, attributes, locales, categories, media}. A part that may not be read is empty. */
export async function loadSurroundings() {
  const none = () => [];
  const [devices, categories, media] = await Promise.all([
    api.get(inApp("/devices"), { limit }).then(({ data }) => data).catch(none),
    all(inApp("/categories")).catch(none), all(inApp("/media")).catch(none),
  ]);
  const people = devices.filter(({ kind }) => kind === "alert").map(person);
  return { people: varied(people), attributes: attributesOf(people), locales: localesOf(people), categories, media };
}

/** Reads {installation, name, locale, values, os} out of a device. */
function person(device) {
  const attributes = { ...device.person?.attributes, ...device.attributes };
  const { user_id, locale, time_zone, os_version, app_version, model } = device;
  const language = locale?.split("-")[0];
  return {
    installation: device.installation, name: attributes.first_name ?? device.nickname ?? user_id ?? device.installation.slice(0, 8),
    locale: locale ?? "en", os: os_version, attributes,
    values: { user_id, locale, language, time_zone, os_version, app_version, model, ...attributes, attributes },
  };
}

/** At most twelve, with as many languages as there are. */
function varied(people) {
  const seen = new Set();
  const first = people.filter(({ locale }) => !seen.has(locale) && seen.add(locale));
  return [...first, ...people.filter((each) => !first.includes(each))].slice(0, 12);
}

/** [{name, share, sample}]: attributes with the share of people who have one, most frequent first; then what all have. */
function attributesOf(people) {
  const counts = new Map();
  for (const { attributes } of people) {
    for (const [name, value] of Object.entries(attributes)) {
      const entry = counts.get(name) ?? { name, count: 0, sample: value };
      entry.count += 1;
      counts.set(name, entry);
    }
  }
  const found = [...counts.values()].sort((a, b) => b.count - a.count).map(({ name, count, sample }) => ({ name, share: count / people.length, sample: write(sample) }));
  return [...found, ...builtIn.map((name) => ({ name, share: 1, sample: write(people[0]?.values[name]) }))];
}

const write = (value) => value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Languages of the people, most frequent first. */
function localesOf(people) {
  const counts = new Map();
  for (const { locale } of people) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  return [...counts.entries()].sort((a, b) => b[1] - a[1]).map(([locale]) => locale);
}
