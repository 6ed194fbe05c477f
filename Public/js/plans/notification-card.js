// One notification of a local plan: its text in every language, and when it appears.

import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { languageName, Languages } from "../setup/languages.js";
import { clone } from "../setup/merge.js";
import { Button } from "../ui/button.js";
import { Check, TextField } from "../ui/field.js";
import { Icon } from "../ui/icon.js";
import { fallback } from "../ui/fallback.js";
import { changePart } from "./parts.js";
import { sentenceOf } from "./sentence.js";
import { TriggerFields } from "./trigger-fields.js";

/** The alert as {title, subtitle, body}: Apple takes a plain text too. */
export function alertOf({ aps }) {
  return typeof aps.alert === "string" ? { body: aps.alert } : aps.alert ?? {};
}

function setAlert(content, field, value) {
  const alert = { ...alertOf(content), [field]: value };
  if (!value) delete alert[field];
  content.aps.alert = alert;
}

export function NotificationCard() {
  let language = "default";
  return {
    view: ({ attrs: { notification, problems, path, isOpen, readonly, onopen, onchange, ondelete, onduplicate } }) => {
      const variants = notification.variants ?? {};
      const isDefault = language === "default" || !variants[language];
      const content = isDefault ? notification.content : variants[language];
      const base = isDefault ? `${path}.content` : `${path}.variants.${language}`;
      const alert = alertOf(content);
      const wrong = problems.below(path);
      const change = (partPath, value) => {
        changePart(notification, isDefault ? null : language, partPath, value);
        onchange();
      };
      const text = (field, more = {}) =>
        m(TextField, {
          label: t(`plan.${field}`),
          readonly,
          maxlength: 2000,
          optional: field !== "body",
          value: alert[field],
          placeholder: isDefault ? undefined : fallback(alertOf(notification.content)[field]),
          error: problems.at(`${base}.aps.alert.${field}`) ??
            (field === "body" ? problems.at(`${base}.aps.alert`) ?? problems.at(`${base}.aps`) : undefined),
          ...more,
          oninput: (value) => {
            setAlert(content, field, value);
            onchange();
          },
        });
      const title = alertOf(notification.content).title ?? alertOf(notification.content).body ?? t("plan.noText");
      return m(
        "li.action-card",
        { class: `${isOpen ? "open" : ""} ${wrong ? "wrong" : ""}` },
        m(
          "div.action-head",
          m(
            "button.action-title.two",
            { type: "button", "aria-expanded": isOpen ? "true" : "false", onclick: onopen },
            m("span.grow", m("b.cut", title), m("span.soft.meta", sentenceOf(notification.trigger))),
            m(Icon, { name: isOpen ? "chevron-up" : "chevron-down" }),
          ),
          !readonly &&
            m(Button, {
              variant: "plain",
              icon: "files",
              class: "small",
              title: t("action.duplicate"),
              "aria-label": labelled(t("action.duplicate"), title),
              onclick: onduplicate,
            }),
          !readonly &&
            m(Button, {
              variant: "plain",
              icon: "trash",
              class: "small",
              title: t("action.remove"),
              "aria-label": labelled(t("action.remove"), title),
              onclick: ondelete,
            }),
        ),
        isOpen && m(
          "div.stack.action-body",
          m(TriggerFields, {
            trigger: notification.trigger,
            readonly,
            problem: (name) => problems.at(`${path}.trigger.${name}`),
            onchange: (trigger) => {
              notification.trigger = trigger;
              onchange();
            },
          }),
          m(TextField, {
            label: t("plan.lastDay"),
            help: t("plan.lastDayHelp"),
            optional: true,
            type: "date",
            readonly,
            value: notification.last_day,
            error: problems.at(`${path}.last_day`),
            oninput: (value) => {
              if (value) notification.last_day = value;
              else delete notification.last_day;
              onchange();
            },
          }),
          m("hr"),
          m(Languages, {
            languages: Object.keys(variants),
            active: isDefault ? "default" : language,
            readonly,
            onchange: (id) => {
              language = id;
            },
            problems: (code) => problems.below(code === "default" ? `${path}.content` : `${path}.variants.${code}`),
            onadd: (code) => {
              notification.variants = { ...variants, [code]: clone(notification.content) };
              language = code;
              onchange();
            },
          }),
          text("title"),
          text("subtitle"),
          text("body", { rows: 2 }),
          m(
            "div.row",
            m(Check, {
              label: t("plan.sound"),
              checked: Boolean(content.aps.sound),
              disabled: readonly,
              onchange: (isOn) => change(["aps", "sound"], isOn ? "default" : undefined),
            }),
            !isDefault && !readonly && m(Button, {
              variant: "plain",
              icon: "trash",
              class: "small",
              onclick: () => {
                delete notification.variants[language];
                language = "default";
                onchange();
              },
            }, t("setup.removeLanguage", { language: languageName(language) })),
          ),
          m(
            "details.more",
            m("summary", t("plan.more")),
            m(
              "div.stack",
              m(TextField, {
                label: t("plan.category"),
                optional: true,
                help: t("plan.categoryHelp"),
                readonly,
                value: content.aps.category,
                spellcheck: false,
                error: problems.at(`${base}.aps.category`),
                oninput: (value) => change(["aps", "category"], value || undefined),
              }),
              m(TextField, {
                label: t("plan.media"),
                optional: true,
                readonly,
                type: "url",
                value: content.attachment_url,
                placeholder: t("field.example", { text: "https://example.com/bell.jpg" }),
                error: problems.at(`${base}.attachment_url`),
                oninput: (value) => change(["attachment_url"], value || null),
              }),
              m(TextField, {
                label: t("plan.identifier"),
                help: t("plan.identifierHelp"),
                readonly,
                value: notification.identifier,
                maxlength: 128,
                spellcheck: false,
                error: problems.at(`${path}.identifier`),
                oninput: (value) => {
                  notification.identifier = value;
                  onchange();
                },
              }),
            ),
          ),
        ),
      );
    },
  };
}
