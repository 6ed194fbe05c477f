import m from "../m.js";
import { rich, t } from "../i18n.js";
import { linkOf } from "./tap.js";

/** Says below a phone what a tap opens. `write(link)` fills a person's values in. */
export const TapLine = {
  view: ({ attrs: { payload, write } }) => {
    const found = linkOf(payload);
    return m(
      "p.field-help.soft.tap-line",
      found ? rich("content.tap.opens", { link: m("bdi", write(found.link, found.key)) }) : t("content.tap.opensApp"),
    );
  },
};
