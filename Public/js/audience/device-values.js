// Reads and merges the attributes, tags and values that devices have, to be chosen from. Does not use the DOM or the
// network.
//
// A choice is {value, share}: `share` is the part of the sample that has this value, from 0 to 1. `attributes` maps a
// name to {kind, share, values}: kind is text, date, number, boolean or structure, `values` are choices, the most
// frequent first. `fields` maps a name to choices, and `has` maps it to the share of devices that have a value.

const names = ["locale", "time_zone", "app_version", "os_version", "model", "user_id"];
const kinds = { number: "number", boolean: "boolean", array: "structure", object: "structure" };

/** The answer of GET …/device-values as {devices, tags, attributes, fields, has}. */
export function readValues({ devices, fields, attributes, tags }) {
  const choices = (values, kind = "text") =>
    values.map(({ value, count }) => ({ value: kind === "number" ? Number(value) : value, share: count / devices }));
  const entry = ({ type, count, values }) => {
    const kind = kinds[type] ?? (areDates(values) ? "date" : "text");
    // Whole lists and objects are no values that anybody looks for.
    return { kind, share: count / devices, values: kind === "structure" ? [] : choices(values, kind) };
  };
  return {
    devices,
    tags: choices(tags),
    attributes: Object.fromEntries(attributes.map((each) => [each.name, entry(each)])),
    fields: withLanguages(Object.fromEntries(fields.map(({ name, values }) => [name, choices(values)]))),
    has: withLanguage(Object.fromEntries(fields.map(({ name, count }) => [name, count / devices]))),
  };
}

/**
 * Returns the same of some devices. They have what the list lacks: people's attributes and tags, parts of objects, user
 * IDs.
 */
export function valuesOf(devices) {
  const count = counter(devices.length);
  const attributes = new Map();
  for (const device of devices) {
    for (const tag of new Set([...device.tags, ...(device.person?.tags ?? [])])) count.add("tag", tag);
    for (const name of names) if (device[name]) count.add(name, device[name]);
    for (const [name, value] of new Map([...leaves(device.person?.attributes), ...leaves(device.attributes)])) {
      const entry = attributes.get(name) ?? { kind: kinds[typeof value] ?? "text", devices: 0 };
      attributes.set(name, { ...entry, devices: entry.devices + 1 });
      count.add(`attribute ${name}`, value);
    }
  }
  return {
    devices: devices.length,
    tags: count.choices("tag"),
    attributes: Object.fromEntries([...attributes].map(([name, { kind, devices: having }]) => {
      const values = count.choices(`attribute ${name}`);
      return [name, {
        kind: kind === "text" && areDates(values) ? "date" : kind,
        share: having / devices.length,
        values,
      }];
    })),
    fields: withLanguages(Object.fromEntries(names.map((name) => [name, count.choices(name)]))),
    has: withLanguage(
      Object.fromEntries(names.map((name) => [name, devices.filter((each) => each[name]).length / devices.length])),
    ),
  };
}

/** Adds from `second` the names and tags that `first` lacks; either can be null. */
export function merged(first, second) {
  const [one, other] = [first ?? {}, second ?? {}];
  const known = new Set((one.tags ?? []).map(({ value }) => value));
  // Lists and objects are conditions by their parts only.
  const attributes = Object.fromEntries(
    Object.entries({ ...other.attributes, ...one.attributes }).filter(([, { kind }]) => kind !== "structure"),
  );
  return {
    tags: [...(one.tags ?? []), ...(other.tags ?? []).filter(({ value }) => !known.has(value))],
    attributes,
    fields: { ...other.fields, ...one.fields },
    has: { ...other.has, ...one.has },
  };
}

/** Returns true if all values begin with a date, as the server reads one. */
const areDates = (values) =>
  values.length > 0 && values.every(({ value }) => /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(\D|$)/.test(value));

/** Languages are the first parts of locales. */
function withLanguages(fields) {
  const shares = new Map();
  for (const { value, share } of fields.locale ?? []) {
    const language = value.split("-")[0].toLowerCase();
    shares.set(language, (shares.get(language) ?? 0) + share);
  }
  return { ...fields, language: sorted(shares) };
}

const withLanguage = (has) => ({ ...has, language: has.locale ?? 0 });

function counter(all) {
  const counts = new Map();
  return {
    add(kind, value) {
      if (!counts.has(kind)) counts.set(kind, new Map());
      const values = counts.get(kind);
      values.set(value, (values.get(value) ?? 0) + 1 / all);
    },
    choices: (kind) => sorted(counts.get(kind) ?? new Map()),
  };
}

function sorted(shares, most = 100) {
  return [...shares].sort(([, one], [, other]) => other - one).slice(0, most).map(([value, share]) => ({
    value,
    share,
  }));
}

function* leaves(object, prefix = "") {
  for (const [name, value] of Object.entries(object ?? {})) {
    if (value && typeof value === "object" && !Array.isArray(value)) yield* leaves(value, `${prefix}${name}.`);
    else if (!Array.isArray(value) && value !== null) yield [prefix + name, value];
  }
}
