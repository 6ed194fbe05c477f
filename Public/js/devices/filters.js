// The filters of the list of devices, beside its search.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { SelectField, TextField } from "../ui/field.js";
import { kinds, word } from "./words.js";

/** Milliseconds after the last key. */
const typingPauseMs = 300;

/** `list` is a `deviceList`. */
export function DeviceFilters() {
  let segments = [];
  let tag;
  let timer;
  return {
    oninit: () => {
      if (!session.may("campaigns:read")) return;
      api.get(inApp("/segments"), { limit: 200, sort: "name" }).then(({ data }) => {
        segments = data;
        m.redraw();
      }, () => {});
    },
    onremove: () => clearTimeout(timer),
    view: ({ attrs: { list } }) => {
      const { query } = route;
      const select = (parameter, label, options) =>
        m(SelectField, {
          label,
          hidden: true,
          value: query[parameter] ?? "",
          options: [{ value: "", label }, ...options],
          onchange: (value) => list.change({ [parameter]: value }),
        });
      return m(
        "div.device-filters",
        m(TextField, {
          label: t("devices.tag"),
          hidden: true,
          placeholder: t("devices.tag"),
          value: tag ?? query.tag ?? "",
          maxlength: 100,
          spellcheck: false,
          oninput: (value) => {
            tag = value;
            clearTimeout(timer);
            timer = setTimeout(() => {
              list.change({ tag: tag.trim() });
              tag = undefined;
            }, typingPauseMs);
          },
        }),
        select("registered", t("devices.anyState"), [{ value: "true", label: t("devices.registered") }, {
          value: "false",
          label: t("devices.retiredOnes"),
        }]),
        select("test", t("devices.anyTest"), [{ value: "true", label: t("devices.testOnes") }, {
          value: "false",
          label: t("devices.noTest"),
        }]),
        select("kind", t("devices.anyKind"), kinds.map((kind) => ({ value: kind, label: word("devices.kind", kind) }))),
        (segments.length > 0 || query.segment) && select(
          "segment",
          t("devices.anySegment"),
          segments.length
            ? segments.map(({ id, name: label }) => ({ value: id, label }))
            : [{ value: query.segment, label: query.segment }],
        ),
      );
    },
  };
}
