// Badge, interruption level, relevance and thread: how a phone shows the push beside its text.

import m from "../m.js";
import { fieldsIn } from "../payload/fields.js";
import { payloadField } from "./payload-field.js";

/** Its attributes are the form of `payloadField`. */
export default {
  view: ({ attrs: form }) => m("div.columns", fieldsIn("look").map((field) => payloadField(field, form))),
};
