// The tags of a campaign, by which people find it: chips below its name, and a field to change them.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { Many } from "../audience/inputs.js";
import { problemWords } from "../problems/problem-words.js";
import { inApp } from "../session.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";

const most = 20;

/** `draft` of the campaign. */
export function Tags() {
  let isEditing = false, known = [];
  async function edit() {
    isEditing = true;
    try {
      known = (await api.get(inApp("/campaign-counts"))).tags.map(({ tag }) => tag);
      m.redraw();
    } catch {
      // They only complete what is typed.
    }
  }
  return {
    view: ({ attrs: { draft } }) => {
      const { tags } = draft.value;
      const [problem] = draft.problemsAt("tags", true);
      if (!isEditing) {
        return m(
          "div.row.editor-tags",
          tags.map((tag) => m("span", { key: tag }, m(Badge, { title: t("campaigns.tag") }, tag))),
          draft.isEditable &&
            m(
              Button,
              { variant: "plain", class: "small", onclick: edit },
              t(tags.length ? "editor.tags" : "editor.addTags"),
            ),
        );
      }
      return m(
        "div.editor-tags",
        m(
          "div.row.nowrap",
          m(Many, {
            label: t("campaigns.tags"),
            value: tags,
            options: known,
            invalid: Boolean(problem),
            placeholder: t("editor.tagPlaceholder"),
            onchange: (next) => draft.change({ tags: next.map((tag) => tag.slice(0, 50)).slice(0, most) }),
          }),
          m(Button, {
            class: "small",
            onclick: () => {
              isEditing = false;
              draft.flush();
            },
          }, t("editor.tagsDone")),
        ),
        problem && m("p.field-help.danger", problemWords(problem)),
      );
    },
  };
}
