// The step "Content": own texts, or a template with its languages and personal parts.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { all, api, newIdempotencyKey } from "../api.js";
import { Draft } from "../draft/draft.js";
import { load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { SelectField } from "../ui/field.js";
import { toast, toastError } from "../ui/toast.js";
import { ContentEditor } from "../content/content-editor.js";
import { askDiscardDraft } from "../draft/ask-discard.js";
import { Conflict } from "../draft/conflict.js";
import { variantDraft } from "../draft/variant-draft.js";
import { newPayload } from "../content/new-content.js";
import { ownContent, templateContent, usesLiquid } from "../content/source.js";
import { Variants } from "./variants.js";

const templateMembers = ["name", "content"];
const isError = ({ severity }) => severity === "error";

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
  const templates = load(() => all(inApp("/templates"), { sort: "name" }));
  let template = null, shownKey = null;

  /** The template that the campaign uses, as a draft of its own: saving it makes a new version. */
  function follow() {
    const { template: id, template_version: version } = draft.value;
    const key = id ? `${id}-${version}` : null;
    if (key === shownKey) return;
    if (template && !template.hasChanges) template.end();
    shownKey = key;
    // After a save the draft is at the version that the campaign takes then.
    if (id && template?.id === id && template.value?.content_version === version) return;
    template = id
      ? Object.assign(new Draft(inApp(`/templates/${id}`), templateMembers, { savesItself: false }), { id })
      : null;
  }

  /** A problem of the template counts as a problem of this step, also when another one is open. */
  function tellProblems() {
    const problems = (template?.value ? template.problems : []).map((each) => ({
      ...each,
      path: (each.path ?? "").replace(/^content/, "template"),
    }));
    const unsaved = template?.value && template.hasChanges
      ? [{ path: "template", code: "unsaved", message: t("content.unsavedTemplate"), severity: "warning" }]
      : [];
    draft.setProblems("template", [...problems, ...unsaved]);
  }

  function choose(id) {
    const before = {
      payload: draft.value.payload,
      template: draft.value.template,
      template_version: draft.value.template_version,
    };
    if (id) {
      draft.change({
        template: id,
        template_version: templates.data.find((each) => each.id === id)?.version ?? null,
        payload: null,
      });
      if (before.payload) toast(t("content.templateTaken"), { undo: () => draft.change(before) });
    } else {
      draft.change({
        payload: structuredClone(template?.value?.content.payload ?? newPayload()),
        template: null,
        template_version: null,
      });
    }
    draft.flush();
  }

  /** Own texts with names or languages need a template: it is made of them. */
  async function makeTemplate() {
    try {
      const { name, payload, push_type: type } = draft.value;
      const made = await api.post(inApp("/templates"), { name, content: { push_type: type, payload } }, {
        idempotencyKey: newIdempotencyKey(),
      });
      templates.data?.push(made);
      draft.change({ template: made.id, template_version: made.version, payload: null });
      await draft.flush();
      toast(t("content.templateMade", { name }));
    } catch (error) {
      toastError(error);
    }
  }

  async function saveTemplate() {
    if (!(await template.flush())) {
      return toastError({
        message: template.message ?? t("editor.refused"),
        problems: template.problems.filter(isError),
      });
    }
    const { version } = template.value;
    draft.change({ template: template.id, template_version: version });
    await draft.flush();
    templates.reload();
    toast(t("content.versionSaved", { version }));
  }

  const chooser = () =>
    m(
      "div.template-row",
      m(SelectField, {
        label: t("content.from"),
        value: draft.value.template ?? "",
        disabled: !draft.isEditable,
        onchange: choose,
        options: [
          { value: "", label: t(draft.isVariant ? "content.ownVariant" : "content.own") },
          {
            label: t("nav.templates"),
            options: (templates.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          ...(draft.value.template && !templates.data?.some(({ id }) => id === draft.value.template)
            ? [{ value: draft.value.template, label: template?.value?.name ?? "…" }]
            : []),
        ],
      }),
    );

  return {
    onremove: () => {
      templates.end();
      template?.end();
    },
    view: () => {
      follow();
      tellProblems();
      if (!template) {
        const source = ownContent(draft, makeTemplate);
        return m(
          ContentEditor,
          { key: "own", source },
          chooser(),
          draft.isEditable &&
            m(
              Banner,
              { variant: usesLiquid(source.content) ? "warn" : "note" },
              t(
                usesLiquid(source.content)
                  ? "content.liquidNeedsTemplate"
                  : draft.isVariant
                  ? "content.variantHint"
                  : "content.ownHint",
              ),
              " ",
              m(Button, { variant: "plain", onclick: makeTemplate }, t("content.makeTemplate")),
            ),
        );
      }
      return m(
        "div",
        { key: `template-${template.id}` },
        Loaded({ resource: template }, (value) => {
          const isOld = draft.value.template_version && draft.value.template_version < value.version &&
            !template.hasChanges;
          const mayWrite = draft.isEditable && !isOld && session.may("campaigns:write") && !value.archived_at;
          return m(
            ContentEditor,
            { source: templateContent(template, mayWrite) },
            chooser(),
            m(Conflict, { draft: template }),
            isOld
              ? m(
                Banner,
                { variant: "warn" },
                t("content.oldVersion", { version: draft.value.template_version, newest: value.version }),
                " ",
                draft.isEditable && m(Button, {
                  variant: "plain",
                  onclick: () => {
                    draft.change({ template: template.id, template_version: value.version });
                    return draft.flush();
                  },
                }, t("content.takeVersion", { version: value.version })),
              )
              : m(
                Banner,
                { variant: template.hasChanges ? "warn" : "note" },
                template.hasChanges
                  ? t("content.unsavedTemplate")
                  : rich(mayWrite ? "content.usesTemplate" : "content.showsTemplate", {
                    version: String(value.version),
                    link: m("a", { href: page(`/templates/${template.id}`) }, value.name),
                  }),
                template.hasChanges && mayWrite &&
                  m(
                    "span",
                    " ",
                    m(
                      Button,
                      { variant: "plain", onclick: saveTemplate },
                      t("content.saveVersion", { version: value.version + 1 }),
                    ),
                    m(Button, { variant: "plain", onclick: () => askDiscardDraft(template) }, t("content.discard")),
                  ),
              ),
          );
        }),
      );
    },
  };
}
