// The changes that another person made to a draft meanwhile.

import m from "../m.js";
import { has, moment, t } from "../i18n.js";
import { list } from "../phrases.js";
import { partName } from "../problems/part-name.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";

/** The changes of another person: taken over and named, or to be chosen from where both changed the same. */
export const Conflict = {
  view: ({ attrs: { draft } }) => {
    const { at, by } = draft.other ?? {};
    const who = by ? t("editor.changedBy", { name: by, time: moment(at) }) : t("editor.changedByOther");
    if (draft.conflict) {
      return m(
        Banner,
        { variant: "danger", role: "alert" },
        m("p", who, " ", t("editor.conflictText")),
        m(
          "ul.conflicts",
          draft.conflict.map(({ path, mine, theirs }) =>
            m(
              "li",
              { key: path },
              m("b", fieldName(path)),
              m(
                "div.row",
                m(Button, {
                  class: "small",
                  onclick: () => draft.resolve("mine", path),
                }, t("editor.mine", { value: brief(mine) })),
                m(
                  Button,
                  { class: "small", onclick: () => draft.resolve("theirs", path) },
                  t("editor.theirs", { value: brief(theirs) }),
                ),
              ),
            )
          ),
        ),
      );
    }
    return draft.taken.length > 0
      ? m(
        Banner,
        { variant: "note", role: "status" },
        who,
        t("phrase.gap"),
        t("editor.taken", { fields: list(draft.taken.map(fieldName)) }),
      )
      : null;
  },
};

function fieldName(path) {
  for (const key of [`editor.step.${path}`, `editor.field.${path}`]) if (has(key)) return t(key);
  return partName(path) || t("editor.field.payload");
}
const brief = (value) =>
  (value === undefined || value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value)).slice(
    0,
    60,
  );
