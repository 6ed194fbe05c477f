// The variants of an A/B test as tabs, with their weights.

import m from "../m.js";
import { share, t } from "../i18n.js";
import { Tabs } from "../ui/tabs.js";

/** `variants`, `place` of the one that is shown, `badge(place)`, `onchange(place)`. */
export const VariantTabs = {
  view: ({ attrs: { variants, place, badge = () => null, onchange } }) =>
    m(Tabs, {
      label: t("variants.title"),
      active: place,
      onchange,
      tabs: variants.map(({ name, weight }, at) => ({
        id: at,
        label: `${name} · ${share(weight, 1_000, weight % 10 ? 1 : 0)}`,
        badge: badge(at),
      })),
    }),
};
