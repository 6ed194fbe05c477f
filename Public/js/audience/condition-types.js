// What a condition can be about: the first choice in its row.

import { share, t } from "../i18n.js";
import { fields } from "./fields.js";

/** The types that can be chosen, in groups. */
export function conditionTypes(leaf, known) {
  const names = Object.keys(known.attributes).sort();
  // An attribute that many devices lack says so: a condition on it leaves them out.
  const named = (name) => ({
    value: `attribute:${name}`,
    label: known.attributes[name]?.share < 0.995
      ? t("audience.attributeShare", { name, share: share(known.attributes[name].share, 1, 0) })
      : name,
  });
  if ("attribute" in leaf && leaf.attribute && !names.includes(leaf.attribute)) names.push(leaf.attribute);
  return [
    {
      label: t("audience.group.device"),
      options: Object.keys(fields).map((name) => ({ value: `field:${name}`, label: t(`audience.field.${name}`) })),
    },
    {
      label: t("audience.group.attributes"),
      options: [...names.map(named), { value: "attribute:", label: t("audience.otherAttribute") }],
    },
    {
      label: t("audience.group.more"),
      options: ["tag", "event", "outcome", "event_name", "segment", "opted_out", "user_ids"].map((value) => ({
        value,
        label: t(`audience.type.${value}`),
      })),
    },
  ];
}
