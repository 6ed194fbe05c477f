// The step "Content": the campaign's own texts, of each variant in a test.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { loadModule } from "../modules.js";
import { inApp, page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Lazy } from "../ui/lazy.js";
import { Popover } from "../ui/popover.js";
import { toast, toastError } from "../ui/toast.js";
import { ContentEditor } from "../content/content-editor.js";
import { copiedText } from "../content/copied.js";
import { variantDraft } from "../draft/variant-draft.js";
import { contentOf } from "../draft/variants.js";
import { literalPayload, namedTemplate, ownContent } from "../content/source.js";
import { Variants } from "./variants.js";

export default function ContentStep({ attrs: { draft } }) {
  let place = 0;
  const show = (next) => {
    place = next;
  };
  return {
    view: () => {
      place = Math.min(place, (draft.value.variants?.length ?? 1) - 1);
      return [
        m(Variants, { key: "variants", draft, place, onchange: show }),
        // A new key when a test begins or ends: the editor then loads the other content.
        m(Content, { key: `${draft.value.variants ? "variant" : "only"} ${place}`, draft: variantDraft(draft, place) }),
      ];
    },
  };
}

/** One content: that of all, or of a variant. */
function Content({ attrs: { draft } }) {
  /** Raised when another text takes the place of this one. */
  let generation = 0;
  let isPicking = false;

  function set(fields) {
    draft.change(fields);
    isPicking = false;
    generation += 1;
    return draft.flush();
  }
  /** Takes a text in place of this one, and says so; it can be taken back. */
  function take(fields, words) {
    const next = { ...contentOf({}), ...fields };
    const before = Object.fromEntries(Object.keys(next).map((name) => [name, draft.value[name]]));
    set(next);
    toast(words, { undo: () => set(before) });
  }
  async function saveAs(content) {
    try {
      await (await loadModule("editor/save-as-template.js")).saveAsTemplate(content, draft.value.name);
    } catch (error) {
      toastError(error);
    }
  }

  const tools = (source) =>
    m(
      "div.row",
      draft.isEditable && m(Popover, {
        button: { class: "small", icon: "file-earmark-text" },
        text: t("content.startFrom"),
        label: t("content.startFrom"),
        isOpen: isPicking,
        onopen: () => {
          isPicking = true;
        },
        onclose: () => {
          isPicking = false;
        },
      }, m(Lazy, { module: "editor/template-picker.js", fields: { pushType: draft.value.push_type, take } })),
      session.may("campaigns:write") && m(Button, {
        class: "small",
        variant: "plain",
        onclick: () => saveAs(source.content),
      }, t("content.saveAsTemplate")),
    );

  return {
    view: () => {
      const { content, payload, template, template_version: version } = draft.value;
      if (template && !content) return m(NamedTemplate, { key: `${template} ${version}`, draft, take });
      const isLiteral = Boolean(payload) && !content;
      const source = isLiteral ? literalPayload(draft) : ownContent(draft);
      return m(
        ContentEditor,
        { key: `own ${generation}`, source },
        !isLiteral && tools(source),
        isLiteral &&
          m(
            Banner,
            { variant: "warn" },
            t("content.literal"),
            " ",
            draft.isEditable && m(Button, {
              variant: "plain",
              onclick: () => take({ content: { payload } }, t("content.filledIn")),
            }, t("content.fillIn")),
          ),
      );
    },
  };
}

/** The version of a template that a program has given to the campaign. */
function NamedTemplate({ attrs: { draft } }) {
  const { template: id, template_version: version } = draft.value;
  const found = load((signal) => api.get(inApp(`/templates/${id}`), { version }, { signal }));
  return {
    onremove: () => found.end(),
    view: ({ attrs: { take } }) =>
      m(
        "div",
        Loaded({ resource: found }, ({ name, content }) =>
          m(
            ContentEditor,
            { source: namedTemplate(draft, content) },
            m(
              Banner,
              { variant: "note" },
              rich("content.usesTemplate", {
                version: String(version),
                link: m("a", { href: page(`/templates/${id}`) }, name),
              }),
              " ",
              draft.isEditable && m(Button, {
                variant: "plain",
                onclick: () => take({ content: copiedText(content) }, t("content.copied")),
              }, t("content.editHere")),
            ),
          )),
      ),
  };
}
