// Keys of texts that the app has itself, with the arguments of each.

import m from "../m.js";
import { t } from "../i18n.js";
import { fieldsIn } from "../payload/fields.js";
import { payloadField } from "./payload-field.js";

/** As LookFields. */
export default {
  view: ({ attrs: form }) =>
    m(
      "div.stack",
      m("p.soft", t("content.locKeysHelp")),
      m("div.columns", fieldsIn("locKeys").map((field) => payloadField(field, form))),
    ),
};
