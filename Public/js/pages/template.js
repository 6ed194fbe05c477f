// One template: its content in all languages beside the phone, its versions, and the campaigns that use it.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { api, newIdempotencyKey } from "../api.js";
import { Draft } from "../draft/draft.js";
import { askDiscardDraft } from "../draft/ask-discard.js";
import { Conflict } from "../draft/conflict.js";
import { onKey } from "../keys.js";
import { load, Loaded, LoadedPage } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { StateBadge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { ask, Dialog } from "../ui/dialog.js";
import { Menu } from "../ui/menu.js";
import { Skeleton } from "../ui/skeleton.js";
import { titled } from "../ui/titled.js";
import { toast, toastError } from "../ui/toast.js";
import { ContentEditor } from "../content/content-editor.js";
import { copiedMembers } from "../content/copied.js";
import { difference } from "../json/difference.js";
import { partName } from "../problems/part-name.js";
import { templateContent } from "../content/source.js";

export default function TemplatePage({ attrs: { params } }) {
  const path = inApp(`/templates/${params.template}`);
  const draft = new Draft(path, ["name", "content"], { savesItself: false });
  const versions = load(() => api.get(`${path}/versions`, { limit: 50 }));
  const campaigns = load(() => api.get(`${path}/campaigns`, { limit: 50 }));
  /** An older version that is looked at: {version, content}. */
  let old = null;

  const endKey = onKey("mod+s", () => save());
  async function save() {
    if (!draft.isEditable || !draft.hasChanges) return;
    if (!(await draft.flush())) return;
    toast(t("templates.saved", { version: draft.value.version }));
    versions.reload();
  }
  const guarded = (work) => async () => {
    try {
      await work();
    } catch (error) {
      toastError(error);
    }
    m.redraw();
  };
  const archive = (action) =>
    guarded(async () => {
      draft.accept(await api.post(`${path}/${action}`));
      toast(t(action === "archive" ? "templates.archivedSome" : "templates.unarchivedSome", { count: 1 }), {
        undo: archive(action === "archive" ? "unarchive" : "archive"),
      });
    });
  const duplicate = guarded(async () => {
    const copy = await api.post(`${path}/duplicate`, {}, { idempotencyKey: newIdempotencyKey() });
    toast(t("templates.duplicated", { name: copy.name }));
    navigate(page(`/templates/${copy.id}`));
  });
  const remove = guarded(async () => {
    if (!(await ask({ title: t("templates.delete"), text: t("templates.deleteText"), confirm: t("action.delete") }))) {
      return;
    }
    await api.delete(path, { ifMatch: draft.value.version });
    draft.discard();
    toast(t("templates.deleted"));
    navigate(page("/templates"));
  });
  const useIt = guarded(async () => {
    const { name, content } = draft.value;
    const made = await api.post(inApp("/campaigns"), { name, ...copiedMembers(content) }, {
      idempotencyKey: newIdempotencyKey(),
    });
    navigate(page(`/campaigns/${made.id}/content`));
  });
  const lookAt = (version) =>
    guarded(async () => {
      old = { version, content: (await api.get(path, { version })).content };
    })();

  const head = (template) => {
    const isUsed = campaigns.data?.data.length > 0;
    const isArchived = Boolean(template.archived_at);
    return [
      m("nav.crumbs", { "aria-label": t("editor.crumbs") }, m("a", { href: page("/templates") }, t("nav.templates"))),
      m(
        "div.page-head",
        m("h1", { oncreate: titled, onupdate: titled }, template.name),
        m(
          "span.save-status",
          {
            class: draft.status === "refused" || draft.status === "kept" ? "warn" : "soft",
            role: draft.status === "refused" ? "alert" : undefined,
          },
          draft.status === "refused"
            ? t("editor.refused")
            : draft.status === "kept"
            ? t("editor.kept")
            : draft.hasChanges
            ? t("templates.unsaved")
            : t("templates.savedAs", { version: template.version, time: moment(template.updated_at) }),
        ),
        session.may("campaigns:write") && !isArchived &&
          (draft.hasChanges
            ? m(Button, { variant: "strong", onclick: save }, t("templates.save", { version: template.version + 1 }))
            : m(Button, { variant: "strong", onclick: useIt }, t("templates.use"))),
        session.may("campaigns:write") && m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          items: [
            draft.hasChanges &&
            { label: t("content.discard"), icon: "arrow-counterclockwise", onclick: () => askDiscardDraft(draft) },
            { label: t("action.duplicate"), icon: "files", onclick: duplicate },
            {
              label: t(isArchived ? "action.unarchive" : "action.archive"),
              icon: "archive",
              onclick: archive(isArchived ? "unarchive" : "archive"),
            },
            !isUsed && { label: t("templates.delete"), icon: "trash", variant: "danger", onclick: remove },
          ],
        }),
      ),
      m(Conflict, { draft }),
      isArchived && m(Banner, { variant: "note" }, t("templates.isArchived")),
    ];
  };

  const nameField = (template) =>
    m(
      "label.field",
      m("span.field-label", t("templates.name")),
      m("input", {
        value: template.name,
        maxlength: 200,
        readonly: !draft.isEditable,
        "aria-invalid": template.name.trim() ? undefined : "true",
        oninput: (event) => draft.change({ name: event.target.value }),
      }),
      !template.name.trim() && m("span.field-help.danger", t("editor.nameMissing")),
    );

  const aside = () =>
    m(
      "div.columns.template-foot",
      m(
        "section.sheet.stack",
        m("h2", t("templates.campaigns")),
        Loaded({ resource: campaigns, skeleton: m(Skeleton, { rows: 2 }) }, ({ data }) =>
          data.length === 0 ? m("p.soft", t("templates.noCampaigns")) : [
            m(
              "ul.plain-list",
              data.map(({ id, name, state, template_version: version }) =>
                m(
                  "li.row",
                  { key: id },
                  m("a", { href: page(`/campaigns/${id}`) }, name),
                  m(StateBadge, { state }),
                  version && m("span.meta.push", `${t("templates.version")} ${number(version)}`),
                )
              ),
            ),
          ]),
      ),
      m(
        "section.sheet.stack",
        m("h2", t("templates.versions")),
        Loaded({ resource: versions, skeleton: m(Skeleton, { rows: 2 }) }, ({ data }) =>
          m(
            "ul.plain-list",
            data.map(({ version, saved_at: time }, index) =>
              m(
                "li.row",
                { key: version },
                m("b", `${t("templates.version")} ${number(version)}`),
                m("span.meta", moment(time)),
                index === 0 ? m("span.meta.push", t("templates.newest")) : m(
                  Button,
                  {
                    variant: "plain",
                    class: "small push",
                    onclick: () =>
                      lookAt(version),
                  },
                  t("templates.look", { version }),
                ),
              )
            ),
          )),
      ),
    );

  const oldDialog = (template) => {
    const changes = difference(old.content, template.content);
    const close = () => {
      old = null;
    };
    return m(
      Dialog,
      {
        title: t("templates.diff", { version: old.version }),
        onclose: close,
        wide: true,
        actions: [
          draft.isEditable && changes.length > 0 && m(Button, {
            key: "restore",
            variant: "strong",
            onclick: () => {
              draft.change({ content: old.content });
              toast(t("templates.restored", { version: old.version }));
              close();
            },
          }, t("templates.restore", { version: old.version })),
          m(Button, { key: "close", onclick: close }, t("action.close")),
        ].filter(Boolean),
      },
      changes.length
        ? m(
          "dl.diff",
          changes.map(({ path: at, before, after }) =>
            m(
              "div",
              { key: at },
              m("dt", m("b", partName(at) || t("editor.field.payload"))),
              before !== undefined && m("dd", m("del", show(before))),
              after !== undefined && m("dd", m("ins", show(after))),
            )
          ),
        )
        : m("p.soft", t("templates.same")),
    );
  };

  return {
    onremove: () => {
      endKey();
      draft.end();
      versions.end();
      campaigns.end();
    },
    view: () =>
      LoadedPage(
        {
          resource: draft,
          skeleton: m(Skeleton, { rows: 8 }),
          list: { href: page("/templates"), title: t("nav.templates") },
        },
        (template) =>
          m(
            "div.template-page",
            head(template),
            m(ContentEditor, { source: templateContent(draft) }, nameField(template)),
            aside(),
            old && oldDialog(template),
          ),
      ),
  };
}

const show = (value) => (typeof value === "string" ? value : JSON.stringify(value));
