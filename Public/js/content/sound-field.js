// The sound of a push: the phone's usual one, none, or a file of the app. A critical sound keeps its volume.

import m from "../m.js";
import { t } from "../i18n.js";
import { SelectField, TextField } from "../ui/field.js";
import { field } from "../payload/fields.js";
import { setAps } from "./payload.js";

/** "default", "none" or "file". */
export function soundKind(sound) {
  if (sound === undefined || sound === null) return "none";
  return sound === "default" ? "default" : "file";
}

/**
 * `payload`, `problems` (of the sound), `describeProblems(problems)` (what a field says of them),
 * `readonly`, `change(payload)`.
 */
export function SoundField() {
  // "A file" was chosen, and its name is not typed yet.
  let wantsFile = false;
  return {
    view: ({ attrs: { payload, problems, describeProblems, readonly, change } }) => {
      const sound = payload.aps?.sound;
      const set = (next) => change(setAps(payload, "sound", next));
      if (typeof sound === "object" && sound !== null) {
        return m(TextField, {
          label: t(field("sound").label),
          value: sound.name ?? "",
          readonly,
          help: t("content.criticalSound"),
          ...describeProblems(problems),
          oninput: (name) => set({ ...sound, name }),
        });
      }
      const kind = wantsFile && soundKind(sound) === "none" ? "file" : soundKind(sound);
      return m(
        "div.stack",
        { style: { "--gap": "8px" } },
        m(SelectField, {
          label: t(field("sound").label),
          value: kind,
          disabled: readonly,
          ...(kind === "file" ? {} : describeProblems(problems)),
          help: kind === "none" ? t("content.silentHelp") : undefined,
          options: ["default", "none", "file"].map((value) => ({ value, label: t(`content.sounds.${value}`) })),
          onchange: (next) => {
            wantsFile = next === "file";
            set(next === "default" ? "default" : undefined);
          },
        }),
        kind === "file" && m(TextField, {
          label: t("content.soundFile"),
          value: sound ?? "",
          readonly,
          help: t("content.soundFileHelp"),
          spellcheck: false,
          ...describeProblems(problems),
          oninput: set,
        }),
      );
    },
  };
}
