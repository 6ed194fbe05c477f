// The parts that every form of an editor has: problems without a field, the conflict, the bar to save.

import m from "../m.js";
import { has, moment, t } from "../i18n.js";
import { list } from "../phrases.js";
import { connection } from "../connection.js";
import { askDiscard } from "../draft/ask-discard.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { sentence } from "./problems.js";

/** Problems that no field shows. `known` are the paths of the form's fields. */
export const Problems = {
  view: ({ attrs: { editor, known } }) => {
    const rest = editor.problems.rest(known);
    return rest.length
      ? m(
        Banner,
        { variant: "danger", role: "alert" },
        rest.map((each) =>
          m("p", known.length && /[a-z]/.test(each.path) ? m("code", `${each.path} `) : null, sentence(each))
        ),
      )
      : null;
  },
};

/** Warnings of a stored record: Apple accepts it, but a person should know. */
export const Warnings = {
  view: ({ attrs: { entries, name = () => "" } }) =>
    entries?.length
      ? m(
        Banner,
        { variant: "warn" },
        entries.map((each) =>
          m(
            "p",
            name(each.path),
            has(`setup.warning.${each.code}`) ? t(`setup.warning.${each.code}`) : sentence({ ...each, code: null }),
          )
        ),
      )
      : null,
};

export const Conflict = {
  view: ({ attrs: { editor, label, onsaved } }) => {
    const { conflict } = editor;
    if (!conflict) return null;
    const choose = (side) => () => editor.choose(side).then((record) => record && onsaved?.(record));
    return m(
      Banner,
      { variant: "warn", role: "alert" },
      m(
        "p",
        t("setup.conflict", {
          fields: list(conflict.fields.map(label)),
          time: conflict.at ? moment(conflict.at) : "–",
        }),
      ),
      m(
        "div.row.banner-row",
        m(Button, { class: "small", onclick: choose("mine") }, t("setup.mine")),
        m(Button, { class: "small", onclick: choose("theirs") }, t("setup.theirs")),
      ),
    );
  },
};

/** Save and discard; says that a draft was found again. */
export const SaveBar = {
  view: ({ attrs: { editor, label, onsaved, strong = true } }) =>
    m(
      "div.save-bar",
      { class: editor.isDirty ? "dirty" : "" },
      m(Button, {
        variant: strong ? "strong" : "",
        reason: !editor.isDirty ? t("setup.noChange") : connection.isOffline ? t("state.offline") : undefined,
        onclick: () => editor.save().then((record) => record && onsaved?.(record)),
      }, label ?? t("action.save")),
      editor.isDirty &&
        m(
          Button,
          { variant: "plain", onclick: () => askDiscard({ parts: editor.changedParts, discard: editor.discard }) },
          t("setup.discard"),
        ),
      m(
        "span.soft.meta",
        { role: "status" },
        editor.isRestored ? t("setup.restored") : editor.isDirty ? t("setup.unsaved") : "",
      ),
    ),
};
