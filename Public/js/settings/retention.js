// The retention of the records of single devices. Before a change is saved, the server tells how much it would delete,
// and the reader types the app's name.

import m from "../m.js";
import { day, t } from "../i18n.js";
import { list } from "../phrases.js";
import { api } from "../api.js";
import { inApp } from "../session.js";
import { edit } from "../setup/editor.js";
import { Conflict, Problems, SaveBar } from "../setup/forms.js";
import { problemsOf } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { ask } from "../ui/dialog.js";
import { NumberField, Switch } from "../ui/field.js";
import { toast } from "../ui/toast.js";

/** The fewest days of each: devices report up to 30 days later, and frequency caps look back up to 90. */
const least = { event_days: 31, reply_days: 1, recipient_days: 91, custom_event_days: 31 };
const names = Object.keys(least);
const most = 3650;
/** Days that a switch begins with. */
const usual = 365;
/** Milliseconds after the last change. */
const previewDelayMs = 400;

/** Texts about how much would be deleted; empty if nothing. */
function removals({ events, replies, custom_events, recipients }) {
  const before = (time) => day(time, { year: true });
  return [
    events.count > 0 && t("settings.events", { count: events.count, day: before(events.cutoff_at) }),
    replies.count > 0 && t("settings.replies", { count: replies.count, day: before(replies.cutoff_at) }),
    custom_events.count > 0 &&
    t("settings.customEvents", { count: custom_events.count, day: before(custom_events.cutoff_at) }),
    recipients.count > 0 && t("settings.recipients", {
      count: recipients.count,
      day: before(recipients.cutoff_at),
      runs: recipients.runs > 0 ? t("settings.runs", { count: recipients.runs }) : t("settings.singlePushes"),
    }),
  ].filter(Boolean);
}

export function RetentionSection({ attrs: { app } }) {
  const editor = edit({
    item: `belfry.draft.app.${app.id}.retention`,
    fields: ["retention"],
    record: app,
    label: () => t("settings.retention"),
    defaults: { retention: Object.fromEntries(names.map((name) => [name, null])) },
    write: (changes, version) => api.patch(inApp(), changes, { ifMatch: version }),
    read: () => api.get(inApp()),
  });
  let preview = null, timer, asked = 0;

  /** Resolves to what would be removed now, in words, or to null; then the reason is in the editor's problems. */
  async function loadPreview() {
    const own = ++asked;
    try {
      const answer = removals(await api.get(inApp("/retention/preview"), editor.draft.retention));
      if (own === asked) preview = answer;
      return answer;
    } catch (error) {
      if (own === asked) {
        preview = null;
        editor.problems = problemsOf(error);
      }
      return null;
    } finally {
      m.redraw();
    }
  }
  function change(name, value) {
    editor.problems = problemsOf(null);
    editor.set("retention", { ...editor.draft.retention, [name]: value });
    preview = null;
    clearTimeout(timer);
    asked++;
    if (editor.isDirty) timer = setTimeout(loadPreview, previewDelayMs);
  }
  /** The editor, but it asks before it saves. */
  const careful = Object.create(editor, {
    save: {
      value: async () => {
        clearTimeout(timer);
        const parts = await loadPreview();
        if (!parts) return null;
        const isSure = !parts.length || await ask({
          title: t("settings.removeTitle"),
          text: t("settings.removeText", { what: list(parts) }),
          confirm: t("settings.removeNow"),
          typed: app.name,
          typedLabel: t("settings.removeTyped", { name: app.name }),
        });
        return isSure ? editor.save() : null;
      },
    },
  });
  if (editor.isDirty) loadPreview();

  const saved = () => {
    preview = null;
    toast(t("setup.saved"));
  };
  /** The preview names its parameter, and saving the member. */
  const problem = (name) =>
    editor.problems.at(`retention.${name}`) ??
      (editor.problems.at(name) && t("setup.range", { from: least[name], to: most }));

  return {
    onremove: () => clearTimeout(timer),
    view: ({ attrs: { readonly } }) =>
      m(
        "section.sheet.stack",
        { id: "settings-retention", "aria-label": t("settings.retention") },
        m("div", m("h2", t("settings.retention")), m("p.soft", t("settings.retentionText"))),
        m(Conflict, { editor, label: () => t("settings.retention"), onsaved: saved }),
        m(Problems, { editor, known: [...names, /^retention\./] }),
        names.map((name) => {
          const value = editor.draft.retention[name];
          return m(
            "div.stack.retention",
            { key: name },
            m(Switch, {
              label: t(`settings.remove.${name}`),
              help: t(`settings.removeHelp.${name}`),
              checked: value !== null,
              disabled: readonly,
              onchange: (isOn) => change(name, isOn ? usual : null),
            }),
            value !== null && m(
              "div.sub",
              m(NumberField, {
                // An empty field is not "for ever": the server asks for a number.
                label: t(`settings.keepFor.${name}`),
                value: value || null,
                min: least[name],
                max: most,
                unit: t("settings.days"),
                disabled: readonly,
                help: t(`settings.range.${name}`, { least: least[name], most }),
                error: problem(name),
                oninput: (days) => change(name, days ?? 0),
              }),
            ),
          );
        }),
        editor.isDirty && preview &&
          m(
            Banner,
            { variant: preview.length ? "warn" : "note", role: "status" },
            preview.length ? t("settings.wouldRemove", { what: list(preview) }) : t("settings.nothing"),
          ),
        !readonly && m(SaveBar, { editor: careful, onsaved: saved, strong: editor.isDirty }),
      ),
  };
}
