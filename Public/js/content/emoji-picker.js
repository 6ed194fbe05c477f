// Chooses an emoji for a text: those that were used last, then those that messages need most.

import m from "../m.js";
import { language, t } from "../i18n.js";
import { Picker } from "../ui/picker.js";
import { emoji } from "./emoji-list.js";
import { recentEmoji, rememberEmoji } from "./recent-emoji.js";

/** The emoji of this name in either language, or all; those of `recent` first. */
export function foundEmoji(text, recent = []) {
  const part = text.toLowerCase();
  const rank = ({ id }) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  return emoji.filter(({ id, en, zh }) =>
    text === id || [...en, ...zh].some((name) => name.toLowerCase().includes(part))
  )
    .sort((one, other) => rank(one) - rank(other));
}

/** `oninsert(text)`. */
export default function EmojiPicker() {
  const recent = recentEmoji();
  return {
    view: ({ attrs: { oninsert } }) =>
      m(Picker, {
        label: t("content.insert.searchEmoji"),
        columns: 8,
        find: (text) => foundEmoji(text, recent),
        name: (each) => each[language][0],
        option: ({ id }) => id,
        take: ({ id }) => {
          rememberEmoji(id);
          oninsert(id);
        },
        none: (text) => t("list.nothing", { text }),
      }),
  };
}
