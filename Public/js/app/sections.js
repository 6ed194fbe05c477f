// The sections of an app's settings. Each edits some members, so two people disturb each other only in the same
// section.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { Elsewhere } from "../settings/elsewhere.js";
import { edit } from "../setup/editor.js";
import { Conflict, Problems, SaveBar } from "../setup/forms.js";
import { Choices, NumberField, Switch, TextField } from "../ui/field.js";
import { toast } from "../ui/toast.js";
import { IdentityKey } from "./identity-key.js";
import { LocaleField, ZoneField } from "./fields.js";

const label = (field) => t(`appPage.field.${field}`);

/**
 * A section that edits `fields`; `draw(field, editor)` draws them, `known` are further paths of problems that it shows.
 */
function Section(name, fields, draw, known = []) {
  return ({ attrs: { app } }) => {
    const editor = edit({
      item: `belfry.draft.app.${app.id}.${name}`,
      fields,
      record: app,
      label,
      write: (changes, version) => api.patch(inApp(), changes, { ifMatch: version }),
      read: () => api.get(inApp()),
    });
    async function saved() {
      toast(t("setup.saved"));
      await session.loadApps();
      m.redraw();
    }
    return {
      view: ({ attrs: { readonly } }) => {
        const field = (key, more = {}) => ({
          label: label(key),
          value: editor.draft[key],
          error: editor.problems.at(key),
          readonly,
          oninput: (value) => editor.set(key, value),
          ...more,
        });
        return m(
          "section.sheet.stack",
          { id: `settings-${name}`, "aria-label": t(`appPage.section.${name}`) },
          m("div", m("h2", t(`appPage.section.${name}`)), m("p.soft", t(`appPage.sectionText.${name}`))),
          m(Conflict, { editor, label, onsaved: saved }),
          m(Problems, { editor, known: [...fields, ...known] }),
          draw(field, editor, readonly),
          !readonly && m(SaveBar, { editor, onsaved: saved, strong: editor.isDirty }),
        );
      },
    };
  };
}

export const GeneralSection = Section(
  "general",
  ["name", "bundle_id", "default_locale", "default_time_zone"],
  (field) => [
    m(
      "div.columns",
      m(TextField, field("name", { maxlength: 100 })),
      m(TextField, field("bundle_id", { maxlength: 155, spellcheck: false, help: t("appPage.help.bundle_id") })),
    ),
    m(
      "div.columns",
      m(LocaleField, field("default_locale", { help: t("appPage.help.default_locale") })),
      m(ZoneField, field("default_time_zone", { help: t("appPage.help.default_time_zone") })),
    ),
  ],
);

export const SendingSection = Section(
  "sending",
  ["quiet_hours", "frequency_cap", "pushes_per_second"],
  (field, editor, disabled) => {
    const { draft, problems } = editor;
    const quiet = draft.quiet_hours, cap = draft.frequency_cap;
    const part = (key, name) => ({
      label: t(`appPage.part.${name}`),
      value: draft[key][name],
      error: problems.at(`${key}.${name}`),
      disabled,
      oninput: (value) => editor.set(key, { ...draft[key], [name]: value }),
    });
    return [
      m(Switch, {
        label: label("quiet_hours"),
        help: t("appPage.help.quiet_hours"),
        checked: Boolean(quiet),
        disabled,
        onchange: (isOn) => editor.set("quiet_hours", isOn ? { from: "22:00", to: "08:00", policy: "hold" } : null),
      }),
      quiet &&
      m(
        "div.sub.stack",
        m(
          "div.row.fields-row",
          m(TextField, { type: "time", ...part("quiet_hours", "from") }),
          m(TextField, { type: "time", ...part("quiet_hours", "to") }),
        ),
        m(Choices, {
          label: t("appPage.part.policy"),
          value: quiet.policy,
          options: ["hold", "skip", "send"].map((value) => ({ value, label: t(`appPage.policy.${value}`) })),
          onchange: (policy) => disabled || editor.set("quiet_hours", { ...quiet, policy }),
        }),
      ),
      m(Switch, {
        label: label("frequency_cap"),
        help: t("appPage.help.frequency_cap"),
        checked: Boolean(cap),
        disabled,
        onchange: (isOn) => editor.set("frequency_cap", isOn ? { count: 3, days: 7 } : null),
      }),
      cap &&
      m(
        "div.sub.row.fields-row",
        m(NumberField, { min: 1, max: 100, unit: t("appPage.unit.pushes"), ...part("frequency_cap", "count") }),
        m(NumberField, { min: 1, max: 90, unit: t("appPage.unit.days"), ...part("frequency_cap", "days") }),
      ),
      m(
        NumberField,
        field("pushes_per_second", {
          optional: true,
          min: 1,
          unit: t("appPage.unit.perSecond"),
          help: t("appPage.help.pushes_per_second"),
          disabled,
        }),
      ),
      m("div", m("h3", t("settings.elsewhere")), m(Elsewhere)),
    ];
  },
  [/^(quiet_hours|frequency_cap)\.(from|to|count|days)$/],
);

/** Devices that the switch to "many" begins with. */
const manyDevices = 10_000;

export const ApprovalSection = Section("approval", ["approval_above"], (field, editor, disabled) => {
  const above = editor.draft.approval_above ?? null;
  const values = { never: null, above: above || manyDevices, always: 0 };
  return [
    m(Choices, {
      label: label("approval_above"),
      value: above === null ? "never" : above === 0 ? "always" : "above",
      options: Object.keys(values).map((value) => ({ value, label: t(`appPage.approval.${value}`) })),
      onchange: (choice) => disabled || editor.set("approval_above", values[choice]),
    }),
    above > 0 && m(
      "div.sub",
      m(
        NumberField,
        field("approval_above", {
          label: t("appPage.approval.devices"),
          min: 1,
          unit: t("appPage.approval.unit"),
          disabled,
        }),
      ),
    ),
  ];
});

const standardControl = { share: 50, days: 90, event_name: "purchase" };

export const ControlSection = Section(
  "control",
  ["global_control"],
  (_field, editor, disabled) => {
    const control = editor.draft.global_control ?? null;
    const set = (changes) => editor.set("global_control", { ...control, ...changes });
    const error = (name) => editor.problems.at(`global_control.${name}`);
    return [
      m(Switch, {
        label: label("global_control"),
        help: t("appPage.help.global_control"),
        checked: control !== null,
        disabled,
        onchange: (isOn) => editor.set("global_control", isOn ? standardControl : null),
      }),
      control && m(
        "div.sub.stack",
        m(
          "div.row.fields-row",
          m(NumberField, {
            label: t("appPage.control.share"),
            unit: "%",
            min: 1,
            max: 20,
            step: 0.1,
            value: control.share / 10,
            error: error("share") && t("appPage.control.shareRange"),
            disabled,
            oninput: (value) => set({ share: Math.round((value ?? 0) * 10) }),
          }),
          m(NumberField, {
            label: t("appPage.control.days"),
            unit: t("appPage.unit.days"),
            min: 30,
            max: 90,
            value: control.days,
            error: error("days"),
            disabled,
            oninput: (value) => set({ days: value ?? 0 }),
          }),
        ),
        m(TextField, {
          label: t("appPage.control.event_name"),
          help: t("appPage.control.eventHelp"),
          value: control.event_name,
          maxlength: 100,
          error: error("event_name"),
          readonly: disabled,
          oninput: (value) => set({ event_name: value }),
        }),
        editor.isDirty && m("p.soft", t("appPage.control.change")),
      ),
    ];
  },
  [/^global_control\.(share|days|event_name)$/],
);

export const RegistrationSection = Section(
  "registration",
  ["identity_verification", "new_installations_per_minute"],
  (field, editor, disabled) => [
    m(Switch, {
      label: label("identity_verification"),
      help: t("appPage.help.identity_verification"),
      checked: editor.draft.identity_verification,
      disabled,
      onchange: (isOn) => editor.set("identity_verification", isOn),
    }),
    editor.problems.at("identity_verification") &&
    m("p.field-help.danger", { role: "alert" }, editor.problems.at("identity_verification")),
    session.may("keys") && m(IdentityKey),
    m(
      NumberField,
      field("new_installations_per_minute", {
        optional: true,
        min: 1,
        unit: t("appPage.unit.perMinute"),
        help: t("appPage.help.new_installations_per_minute"),
        disabled,
      }),
    ),
  ],
);

export const NamesSection = Section(
  "names",
  ["message_id_key", "attachment_url_key", "attachment_type_key"],
  (field, editor) => [
    m(
      "div.columns",
      m(TextField, field("message_id_key", { class: "mono", maxlength: 32, help: t("appPage.help.message_id_key") })),
      m(
        TextField,
        field("attachment_url_key", { class: "mono", maxlength: 32, help: t("appPage.help.attachment_url_key") }),
      ),
    ),
    m(
      TextField,
      field("attachment_type_key", {
        class: "mono",
        maxlength: 32,
        optional: true,
        help: t("appPage.help.attachment_type_key"),
        oninput: (value) => editor.set("attachment_type_key", value || null),
      }),
    ),
  ],
);
