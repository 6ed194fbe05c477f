// The inputs of a condition about a field or an attribute of the device: the comparison, and a value of its kind.

import m from "../m.js";
import { t } from "../i18n.js";
import { DayInput } from "../ui/day-field.js";
import { isAboutDay, kindOf, leastDays, operators, withOperator, words } from "./fields.js";
import { Completed, Many, MomentInput, NumberInput, Pick, Words } from "./inputs.js";
import { countries, countryCode, countryName } from "./countries.js";
import { completion } from "./options.js";

/** The controls in order; an attribute that no known device has gets a field for its path. */
export function fieldInputs({ leaf, negated, known, set, setLeaf, invalid }) {
  const kind = kindOf(leaf, known.attributes);
  const name = leaf.field ?? leaf.attribute;
  const label = leaf.field ? t(`audience.field.${leaf.field}`) : leaf.attribute || t("audience.value");
  const group = (op) => (isAboutDay({ ...leaf, op }) ? "date" : kind === "version" || kind === "time" ? kind : "");
  const ops = operators(leaf, known.attributes).flatMap((op) =>
    op === "exists"
      ? [{ value: "exists", label: t("audience.op.exists") }, { value: "missing", label: t("audience.op.missing") }]
      : [{ value: op, label: t(group(op) ? `audience.op.${group(op)}.${op}` : `audience.op.${op}`) }]
  );
  const how = m(Pick, {
    label: t("audience.how"),
    value: leaf.op === "exists" && negated ? "missing" : leaf.op,
    options: ops,
    class: "how",
    onchange: (op) =>
      set({ leaf: withOperator(leaf, op === "missing" ? "exists" : op, known.attributes), negated: op === "missing" }),
  });
  const isOther = "attribute" in leaf && !(leaf.attribute in known.attributes);
  const path = isOther && m(Completed, {
    label: t("audience.attribute"),
    value: leaf.attribute,
    placeholder: t("field.example", { text: "address.city" }),
    options: Object.entries(known.attributes).map(([value, each]) => completion("attribute", { value, ...each })),
    invalid: invalid && !leaf.attribute,
    onchange: (attribute) => setLeaf({ attribute }),
  });
  return [path, how, value({ leaf, kind, name, label, known, setLeaf, invalid })].filter(Boolean);
}

function value({ leaf, kind, name, label, known, setLeaf, invalid }) {
  const { op } = leaf;
  if (op === "exists") return null;
  const shared = { label, value: leaf.value, invalid, onchange: (next) => setLeaf({ value: next }) };
  const options = (("attribute" in leaf ? known.attributes[name]?.values : known.fields[name]) ?? []).map((each) =>
    completion(name, each)
  );
  if (kind === "word") {
    const choices = words[name].map((each) => ({ value: each, label: t(`audience.word.${each}`) }));
    return Array.isArray(leaf.value)
      ? m(Words, { ...shared, options: choices })
      : m(Pick, { ...shared, options: choices });
  }
  if (kind === "country") return country(shared);
  if (kind === "flag" || kind === "boolean") {
    return m(Pick, {
      ...shared,
      value: String(leaf.value),
      options: ["true", "false"].map((each) => ({
        value: each,
        label: t(each === "true" ? "audience.yes" : "audience.no"),
      })),
      onchange: (next) => setLeaf({ value: next === "true" }),
    });
  }
  if (op.endsWith("_days")) {
    return m(NumberInput, { ...shared, whole: true, min: leastDays(op), unit: t("audience.days") });
  }
  if (isAboutDay(leaf)) {
    return m(DayInput, {
      "aria-label": label,
      value: leaf.value,
      "aria-invalid": invalid ? "true" : undefined,
      onchange: (next) => setLeaf({ value: next ?? "" }),
    });
  }
  if (kind === "time") return m(MomentInput, shared);
  const isNumber = kind === "number" || (kind !== "version" && ["at_least", "above", "at_most", "below"].includes(op));
  if (Array.isArray(leaf.value)) {
    return m(Many, {
      ...shared,
      options,
      placeholder: t("audience.addValue"),
      ...(isNumber && { read: (text) => (Number.isFinite(Number(text)) ? Number(text) : null) }),
    });
  }
  if (isNumber) return m(NumberInput, { ...shared, options });
  return m(Completed, {
    ...shared,
    options,
    placeholder: kind === "version" ? t("field.example", { text: "4.2" }) : "",
    onchange: (next) => setLeaf({ value: kind === "language" ? next.toLowerCase() : next }),
  });
}

function country(shared) {
  const all = countries();
  if (!Array.isArray(shared.value)) {
    const none = { value: "", label: t("audience.chooseCountry") };
    return m(Pick, { ...shared, options: shared.value ? all : [none, ...all] });
  }
  return m(Many, {
    ...shared,
    options: all.filter(({ value }) => !shared.value.includes(value)).map(({ label }) => label),
    show: countryName,
    read: countryCode,
    placeholder: t("audience.addValue"),
  });
}
