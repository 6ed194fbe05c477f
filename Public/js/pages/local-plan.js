// Edits one local plan: notifications that phones show by themselves.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { onKey } from "../keys.js";
import { NotificationCard } from "../plans/notification-card.js";
import { PlanPreview } from "../plans/preview.js";
import { Reactions } from "../plans/reactions.js";
import { triggerOf } from "../plans/trigger.js";
import { edit } from "../setup/editor.js";
import { Conflict, Problems, SaveBar, Warnings } from "../setup/forms.js";
import { clone } from "../setup/merge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { TextField } from "../ui/field.js";
import { toast } from "../ui/toast.js";

/** iOS keeps this many scheduled notifications of an app. */
const most = 64;
const fields = ["name", "notifications"];
const label = (field) => t(`plan.field.${field}`);
const known = [
  "name",
  /^notifications\[\d+\]\.(trigger\.\w+|identifier|last_day)/,
  /^notifications\[\d+\]\.(content|variants\.[\w-]+)\.(attachment_url|aps$|aps\.category)/,
  /^notifications\[\d+\]\.(content|variants\.[\w-]+)\.aps\.alert(\.(title|subtitle|body))?$/,
];

export default function LocalPlanPage({ attrs: { params } }) {
  const isNew = params.plan === "new";
  const path = inApp(`/local-plans${isNew ? "" : `/${params.plan}`}`);
  const readonly = !session.may("content:write");
  let editor = null, warnings = [], open = null, counts = [];
  const ids = new WeakMap();
  let lastID = 0;
  const idOf = (entry) => {
    if (!ids.has(entry)) ids.set(entry, ++lastID);
    return ids.get(entry);
  };
  const resource = load(async (signal) => {
    const [record, statistics] = isNew
      ? [{ name: "", notifications: [] }, { notifications: [] }]
      : await Promise.all([api.get(path, {}, { signal }), api.get(`${path}/statistics`, {}, { signal })]);
    counts = statistics.notifications;
    warnings = record.warnings ?? [];
    editor = edit({
      item: `belfry.draft.plan.${params.app}.${params.plan}`,
      fields,
      record,
      label,
      read: () => api.get(path),
      write: (
        changes,
        version,
      ) => (version === undefined ? api.post(path, changes) : api.patch(path, changes, { ifMatch: version })),
    });
    if (editor.draft.notifications.length === 1) open = 0;
    return record;
  });
  const removeKey = onKey("mod+s", () => editor?.isDirty && editor.save().then((record) => record && saved(record)));

  function saved(record) {
    warnings = record.warnings;
    toast(t("setup.saved"));
    if (isNew) navigate(page(`/local-plans/${record.id}`), { replace: true });
  }
  function freeID(start) {
    const taken = editor.draft.notifications.map(({ identifier }) => identifier);
    let count = taken.length + 1;
    while (taken.includes(`${start}-${count}`)) count += 1;
    return `${start}-${count}`;
  }
  function add() {
    editor.draft.notifications.push({
      identifier: freeID("notification"),
      trigger: triggerOf("calendar"),
      content: { aps: { alert: {}, sound: "default" } },
      variants: {},
    });
    open = editor.draft.notifications.length - 1;
    editor.keep();
  }
  return {
    onremove: () => {
      resource.end();
      removeKey();
    },
    view: () => [
      m("div.page-head", m("h1", editor ? editor.draft.name || t("plan.new") : t("nav.localPlans"))),
      Loaded({ resource }, () => {
        const { draft, problems } = editor;
        return [
          m(
            "div.with-aside",
            m(
              "div.plan-editor.stack",
              [
                readonly && m(Banner, t("setup.readOnly")),
                m(Conflict, { editor, label, onsaved: saved }),
                m(Problems, { editor, known }),
                m(Warnings, {
                  entries: warnings,
                  name: ({ path: each }) =>
                    m("b", t("plan.number", { number: Number(/\d+/.exec(each)?.[0] ?? 0) + 1 })),
                }),
                m(
                  "section.sheet.stack",
                  m(TextField, {
                    label: t("plan.name"),
                    help: t("plan.nameHelp"),
                    value: draft.name,
                    maxlength: 200,
                    readonly,
                    error: problems.at("name"),
                    oninput: (value) => editor.set("name", value),
                  }),
                ),
                m(
                  "section.sheet.stack",
                  m(
                    "div.row",
                    m("h2.grow", t("plan.notifications")),
                    m("span.soft.meta", t("plan.count", { count: draft.notifications.length, most: number(most) })),
                  ),
                  draft.notifications.length
                    ? m(
                      "ol.action-list",
                      draft.notifications.map((notification, index) =>
                        m(NotificationCard, {
                          key: idOf(notification),
                          notification,
                          problems,
                          path: `notifications[${index}]`,
                          isOpen: open === index,
                          readonly,
                          onopen: () => {
                            open = open === index ? null : index;
                          },
                          onchange: () => editor.keep(),
                          onduplicate: () => {
                            draft.notifications.splice(index + 1, 0, {
                              ...clone(notification),
                              identifier: freeID("notification"),
                            });
                            open = index + 1;
                            editor.keep();
                          },
                          ondelete: () => {
                            draft.notifications.splice(index, 1);
                            open = null;
                            editor.keep();
                            toast(t("plan.removed"), {
                              undo: () => {
                                editor.draft.notifications.splice(index, 0, notification);
                                editor.keep();
                              },
                            });
                          },
                        })
                      ),
                    )
                    : m("p.soft", t("plan.none")),
                  !readonly &&
                    m(
                      "div.row",
                      m(Button, {
                        icon: "plus-lg",
                        onclick: add,
                        reason: draft.notifications.length >= most ? t("plan.most", { count: most }) : undefined,
                      }, t("plan.add")),
                    ),
                ),
                !isNew && m(Reactions, { notifications: draft.notifications, counts }),
                !readonly && m(SaveBar, { editor, onsaved: saved, label: isNew ? t("plan.create") : undefined }),
              ].filter(Boolean),
            ),
            m(
              "aside.phone-aside",
              { "aria-label": t("setup.phone") },
              m(PlanPreview, { notification: draft.notifications[open ?? 0] }),
            ),
          ),
        ];
      }),
    ],
  };
}
