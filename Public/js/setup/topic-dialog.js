// Creates or edits a topic, with its texts in several languages.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { TextField } from "../ui/field.js";
import { fallback } from "../ui/fallback.js";
import { edit } from "./editor.js";
import { Conflict, Problems } from "./forms.js";
import { languageName, Languages } from "./languages.js";

const label = (field) => t(`topic.${field}`);

/** A key for a name like "Special offers": special-offers. */
export const keyFor = (name) =>
  name.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);

export function TopicDialog({ attrs: { topic } }) {
  const isNew = !topic.key;
  const path = inApp(`/topics${isNew ? "" : `/${topic.key}`}`);
  const fields = ["name", "description", "translations", ...(isNew ? ["key"] : [])];
  let language = "default", hasKey = false;
  const editor = edit({
    item: `belfry.draft.topic.${session.app}.${topic.key ?? "new"}`,
    fields,
    record: topic,
    label,
    defaults: { name: "", description: "", translations: {}, key: "" },
    read: () => api.get(path),
    write: (changes, version) => {
      // A language without a name has no translation.
      if (changes.translations) {
        changes.translations = Object.fromEntries(
          Object.entries(changes.translations).filter(([, { name, description }]) => name || description),
        );
      }
      return version === undefined ? api.post(path, changes) : api.patch(path, changes, { ifMatch: version });
    },
  });
  if (topic.copied) {
    Object.assign(editor.draft, structuredClone(topic.copied));
    hasKey = true;
  }
  return {
    view: ({ attrs: { onclose, onsaved } }) => {
      const { draft, problems } = editor;
      const isDefault = language === "default";
      const texts = isDefault ? draft : draft.translations[language] ??= { name: "", description: "" };
      const at = (field) => problems.at(isDefault ? field : `translations.${language}.${field}`);
      const save = () => editor.save().then((record) => record && onsaved(record));
      const write = (field) => (value) => {
        texts[field] = value || (isDefault ? "" : null);
        if (isNew && isDefault && field === "name" && !hasKey) draft.key = keyFor(value);
        editor.keep();
      };
      return m(
        Dialog,
        {
          title: isNew ? t("topic.new") : topic.name,
          onclose,
          actions: [
            m(
              Button,
              { variant: "strong", onclick: save, reason: editor.isDirty ? undefined : t("setup.noChange") },
              isNew ? t("topic.create") : t("action.save"),
            ),
            m(Button, {
              onclick: () => {
                editor.discard();
                onclose();
              },
            }, t("action.cancel")),
          ],
        },
        m(Conflict, { editor, label, onsaved }),
        m(Problems, { editor, known: ["name", "description", "key", /^translations\.[^.]+\.(name|description)$/] }),
        m(Languages, {
          languages: Object.keys(draft.translations),
          active: language,
          onchange: (id) => {
            language = id;
          },
          onadd: (code) => {
            draft.translations[code] ??= { name: "", description: "" };
            language = code;
          },
          problems: (code) =>
            problems.entries.filter(({ path: each }) => each.startsWith(`translations.${code}.`)).length,
        }),
        m(TextField, {
          label: t("topic.name"),
          value: texts.name,
          maxlength: 100,
          autofocus: isNew,
          placeholder: isDefault ? t("field.example", { text: t("topic.namePlaceholder") }) : fallback(draft.name),
          optional: !isDefault,
          error: at("name"),
          oninput: write("name"),
        }),
        m(TextField, {
          label: t("topic.description"),
          value: texts.description,
          rows: 2,
          maxlength: 500,
          optional: true,
          help: t("topic.descriptionHelp"),
          placeholder: isDefault ? "" : fallback(draft.description),
          error: at("description"),
          oninput: write("description"),
        }),
        isNew && isDefault &&
          m(TextField, {
            label: t("topic.key"),
            value: draft.key,
            maxlength: 64,
            spellcheck: false,
            class: "mono",
            help: t("topic.keyHelp"),
            error: problems.at("key"),
            oninput: (value) => {
              hasKey = true;
              editor.set("key", value);
            },
          }),
        !isDefault && m(
          "div.row",
          m(Button, {
            variant: "plain",
            icon: "trash",
            class: "small",
            onclick: () => {
              delete draft.translations[language];
              language = "default";
              editor.keep();
            },
          }, t("setup.removeLanguage", { language: languageName(language) })),
        ),
      );
    },
  };
}
