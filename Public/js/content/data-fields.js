// Data for the app: its own keys, the window to open, and what the app does when the push arrives.

import m from "../m.js";
import { fieldsIn } from "../payload/fields.js";
import { CustomKeys } from "./custom-keys.js";
import { payloadField } from "./payload-field.js";

const isCheck = ({ input }) => input === "check";

/** As LookFields. */
export default {
  view: ({ attrs: form }) => {
    const { payload, at, readonly, change } = form;
    const all = fieldsIn("data");
    return m(
      "div.stack",
      m(CustomKeys, { payload, readonly, problemsAt: at, change }),
      m("div.columns", all.filter((field) => !isCheck(field)).map((field) => payloadField(field, form))),
      all.filter(isCheck).map((field) => payloadField(field, form)),
    );
  },
};
