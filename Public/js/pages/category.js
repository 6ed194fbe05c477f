// Edits one category: its actions in order, what locked phones show, in every language, beside a phone.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { allWithArchive } from "../setup/archive.js";
import { onKey } from "../keys.js";
import { ActionCard } from "../categories/action-card.js";
import { ContentExtension } from "../categories/extension.js";
import {
  categoryOptions,
  defaults,
  fields,
  identifierFor,
  languagesOf,
  mostActions,
  tidy,
} from "../categories/model.js";
import { CategoryPreview } from "../categories/preview.js";
import { edit } from "../setup/editor.js";
import { Conflict, Problems, SaveBar, Warnings } from "../setup/forms.js";
import { Languages, textIn, withText } from "../setup/languages.js";
import { moved } from "../setup/merge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask } from "../ui/dialog.js";
import { Check, TextField } from "../ui/field.js";
import { toast, toastError } from "../ui/toast.js";
import { fallback } from "../ui/fallback.js";

const known = [
  "identifier",
  /^actions\[\d+\]\.(identifier|title|icon|text_input)/,
  /^hidden_previews_body_placeholder/,
  /^category_summary_format/,
  "content_extension.initial_content_size_ratio",
];
const label = (field) => t(`category.field.${field}`);

export default function CategoryPage({ attrs: { params } }) {
  const isNew = params.category === "new";
  const path = inApp(`/categories${isNew ? "" : `/${params.category}`}`);
  const readonly = !session.may("content:write");
  let editor = null, warnings = [], language = "default", added = [], open = null, moveText = "";
  const drag = { from: null };
  const resource = load(async (signal) => {
    const [record, others] = await Promise.all([
      isNew ? { ...defaults } : api.get(path, {}, { signal }),
      allWithArchive(inApp("/categories")),
    ]);
    warnings = record.warnings ?? [];
    editor = edit({
      item: `belfry.draft.category.${params.app}.${params.category}`,
      fields,
      defaults,
      record,
      label,
      read: () => api.get(path),
      write: async (changes, version) => {
        const body = tidy(changes);
        body.actions?.forEach((action) => delete action.fresh);
        if (version !== undefined) return api.patch(path, body, { ifMatch: version });
        for (const field of fields) if (body[field] === null) delete body[field];
        return api.post(path, body);
      },
    });
    return { others: others.filter(({ id }) => id !== record.id) };
  });
  const removeKey = onKey("mod+s", () => editor?.isDirty && editor.save().then((record) => record && saved(record)));

  function saved(record) {
    warnings = record.warnings;
    toast(t("setup.saved"));
    if (isNew) navigate(page(`/categories/${record.id}`), { replace: true });
  }
  async function remove() {
    if (
      !await ask({
        title: t("category.deleteTitle", { name: editor.draft.identifier }),
        text: t("category.deleteText"),
        confirm: t("action.delete"),
      })
    ) return;
    await api.delete(path).then(() => {
      toast(t("setup.deleted"));
      navigate(page("/categories"));
    }, toastError);
  }
  const takenBy = (others) =>
    [...editor.draft.actions, ...others.flatMap(({ actions }) => actions)].map(({ identifier }) => identifier);
  function addAction(others) {
    editor.draft.actions.push({
      identifier: identifierFor("", takenBy(others)),
      title: { default: "" },
      options: [],
      fresh: true,
    });
    open = editor.draft.actions.length - 1;
    language = "default";
    editor.keep();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(".action-card.open input")?.focus())
    );
  }
  function move(from, to) {
    const { actions } = editor.draft;
    if (to < 0 || to >= actions.length) return;
    const opened = actions[open];
    editor.set("actions", moved(actions, from, to));
    open = opened ? editor.draft.actions.indexOf(opened) : null;
    moveText = t("category.moved", { place: to + 1, all: actions.length });
  }
  const head = () =>
    m(
      "div.page-head",
      m("h1", editor ? editor.draft.identifier || t("category.new") : t("nav.categories")),
      editor && !isNew && !readonly &&
        m(Button, { icon: "trash", variant: "plain", onclick: remove }, t("action.delete")),
    );
  const ids = new WeakMap();
  let lastID = 0;
  const idOf = (action) => {
    if (!ids.has(action)) ids.set(action, ++lastID);
    return ids.get(action);
  };
  return {
    onremove: () => {
      resource.end();
      removeKey();
    },
    view: () => [
      head(),
      Loaded({ resource }, ({ others }) => {
        const { draft, problems } = editor;
        const languages = [...new Set([...languagesOf(draft), ...added])];
        const count = (language) => problems.entries.filter(({ path: each }) => each.endsWith(`.${language}`)).length;
        const localized = (field, more) =>
          m(TextField, {
            label: label(field),
            optional: true,
            readonly,
            value: textIn(draft[field], language),
            placeholder: language === "default" ? more.placeholder : fallback(textIn(draft[field], "default")),
            help: more.help,
            maxlength: 500,
            error: problems.at(`${field}.${language}`) ?? problems.at(field),
            oninput: (value) => editor.set(field, withText(draft[field], language, value)),
          });
        return [
          m(
            "div.stack.notes",
            readonly && m(Banner, t("setup.readOnly")),
            m(Conflict, { editor, label, onsaved: saved }),
            m(Problems, { editor, known }),
            m(Warnings, { entries: warnings, name: () => "" }),
          ),
          m(
            "div.with-aside.setup-editor",
            m(
              "div.stack",
              m(
                "section.sheet.stack",
                m(TextField, {
                  label: t("category.identifier"),
                  help: t("category.identifierHelp"),
                  value: draft.identifier,
                  maxlength: 128,
                  spellcheck: false,
                  readonly,
                  error: problems.at("identifier"),
                  oninput: (value) => editor.set("identifier", value),
                }),
                m(Languages, {
                  languages,
                  active: language,
                  problems: count,
                  readonly,
                  onchange: (id) => {
                    language = id;
                  },
                  onadd: (code) => {
                    added = [...added, code];
                    language = code;
                  },
                }),
              ),
              m(
                "section.sheet.stack",
                m("h2", t("category.actions")),
                draft.actions.length
                  ? m(
                    "ol.action-list",
                    draft.actions.map((action, index) =>
                      m(ActionCard, {
                        key: idOf(action),
                        action,
                        index,
                        count: draft.actions.length,
                        language,
                        problems,
                        path: `actions[${index}]`,
                        readonly,
                        drag,
                        taken: takenBy(others).filter((each) => each !== action.identifier),
                        isOpen: open === index,
                        onopen: () => {
                          open = open === index ? null : index;
                        },
                        onchange: () => editor.keep(),
                        onmove: move,
                        ondelete: () => {
                          draft.actions.splice(index, 1);
                          open = null;
                          editor.keep();
                          toast(t("category.actionRemoved"), {
                            undo: () => {
                              editor.draft.actions.splice(index, 0, action);
                              editor.keep();
                            },
                          });
                        },
                      })
                    ),
                  )
                  : m("p.soft", t("category.noActions")),
                m("p.visually-hidden", { role: "status" }, moveText),
                !readonly && m(
                  "div.row",
                  m(Button, {
                    icon: "plus-lg",
                    reason: draft.actions.length >= mostActions
                      ? t("category.most", { count: mostActions })
                      : undefined,
                    onclick: () => addAction(others),
                  }, t("category.addAction")),
                  draft.actions.length > 2 && m("span.soft.meta", t("category.banner")),
                ),
              ),
              m(
                "section.sheet.stack",
                m("h2", t("category.more")),
                localized("hidden_previews_body_placeholder", {
                  placeholder: fallback(t("category.notification")),
                  help: t("category.placeholderHelp"),
                }),
                localized("category_summary_format", { placeholder: "", help: t("category.summaryHelp") }),
                m(
                  "fieldset.stack",
                  { style: { "--gap": "8px" } },
                  m("legend.field-label", t("category.field.options")),
                  categoryOptions.map((option) =>
                    m(Check, {
                      key: option,
                      disabled: readonly,
                      label: t(`category.categoryOption.${option}`),
                      checked: draft.options.includes(option),
                      onchange: (isOn) =>
                        editor.set(
                          "options",
                          isOn ? [...draft.options, option] : draft.options.filter((each) => each !== option),
                        ),
                    })
                  ),
                ),
              ),
              m(ContentExtension, {
                value: draft.content_extension,
                readonly,
                problem: (name) => problems.at(`content_extension.${name}`),
                onchange: (value) => editor.set("content_extension", value),
              }),
              !readonly && m(SaveBar, { editor, onsaved: saved, label: isNew ? t("category.create") : undefined }),
            ),
            m(
              "aside.phone-aside",
              { "aria-label": t("setup.phone") },
              m(CategoryPreview, {
                category: draft,
                language,
                selected: open,
                readonly,
                onselect: (index) => {
                  open = index;
                },
              }),
            ),
          ),
        ];
      }),
    ],
  };
}
