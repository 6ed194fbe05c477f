// The buttons beside a text that insert a value of the person or an emoji at the caret.

import m from "../m.js";
import { t } from "../i18n.js";
import { Lazy } from "../ui/lazy.js";
import { Popover } from "../ui/popover.js";

/** The keys that open a tool from within the text, and the tool. */
export const toolKeys = { "alt+n": "name", "alt+e": "emoji" };

/**
 * `label` of the field; `opened` is the tool whose panel is shown, or null, and `onopen(tool)`, `onclose(isDone)`
 * change that; `oninsert(text)`. `names`: the attributes of `NamePicker`; without them, names are not filled in.
 * `hasEmoji`: people read the text.
 */
export const InsertTools = {
  view: ({ attrs: { label, opened, names, hasEmoji, onopen, onclose, oninsert } }) => {
    const tool = (name, button, text, panel) =>
      m(Popover, {
        button: { class: "small", variant: "plain", ...button },
        text,
        label: button["aria-label"],
        isOpen: opened === name,
        onopen: () => onopen(name),
        onclose,
      }, panel);
    return m(
      "div.insert-tools",
      names && tool(
        "name",
        { icon: "person-plus", "aria-label": t("content.insert.nameInto", { field: label }), title: "Alt-N" },
        t("content.insert.name"),
        m(Lazy, { module: "content/name-picker.js", fields: { ...names, oninsert } }),
      ),
      hasEmoji && tool(
        "emoji",
        { icon: "emoji-smile", "aria-label": t("content.insert.emojiInto", { field: label }), title: "Alt-E" },
        t("content.insert.emoji"),
        m(Lazy, { module: "content/emoji-picker.js", fields: { oninsert } }),
      ),
    );
  },
};
