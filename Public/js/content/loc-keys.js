// Keys of texts that the app has itself, with the arguments of each.

import m from "../m.js";
import { t } from "../i18n.js";
import { TextField } from "../ui/field.js";
import { locKeys, setAlert } from "./payload.js";

/** Arguments are typed in one field; a Chinese keyboard has another comma. */
const [separator, separators] = [", ", /[,，]\s*/];
const isList = (name) => name.endsWith("args");

/** As LookFields. */
export default {
  view: ({ attrs: { payload, at, describeProblems, readonly, change } }) =>
    m(
      "div.stack",
      m("p.soft", t("content.locKeysHelp")),
      m(
        "div.columns",
        locKeys.map((name) => {
          const value = payload.aps?.alert?.[name];
          return m(TextField, {
            key: name,
            label: t(`content.keys.${name}`),
            value: Array.isArray(value) ? value.join(separator) : value ?? "",
            readonly,
            optional: true,
            spellcheck: false,
            ...describeProblems(at(`aps.alert.${name}`, isList(name))),
            oninput: (next) =>
              change(setAlert(payload, name, isList(name) ? next ? next.split(separators) : [] : next)),
          });
        }),
      ),
    ),
};
