// The form of one payload: what people read first, everything else behind a line that opens.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { page } from "../session.js";
import { NumberField, SelectField, TextField } from "../ui/field.js";
import { CustomKeys } from "./custom-keys.js";
import { DeliveryFields } from "./delivery.js";
import { JSONView } from "./json-view.js";
import { MediaField } from "./media.js";
import { MendButton } from "./mend.js";
import { parseBadge, setAlert, setAps, text } from "./payload.js";
import { problemWords } from "./problem-words.js";
import { changePayload, pathOf, payloadOf } from "./source.js";
import { SuggestField } from "./suggest.js";

/** The paths that have a place in the form; other problems are shown above it. */
const placed = [
  "aps.alert", "aps.alert.title", "aps.alert.subtitle", "aps.alert.body", "aps.badge", "aps.sound", "aps.sound.name", "aps.category", "aps.thread-id",
  "aps.interruption-level", "aps.relevance-score", "aps.target-content-id", "aps.filter-criteria", "aps.content-available", "aps.mutable-content",
];
const keys = ["loc-key", "loc-args", "title-loc-key", "title-loc-args", "subtitle-loc-key", "subtitle-loc-args", "launch-image"];
for (const name of keys) placed.push(`aps.alert.${name}`);
const ofContent = ["media", "media.id", "media.url", "push_type", "priority", "expiration_seconds", "collapse_id"];

/** Problems of the tab that no field shows. */
export function unplaced(source, locale) {
  const path = pathOf(locale);
  return source.problemsAt(path, true).filter((each) => {
    const rest = each.path.slice(source.prefix.length + path.length + 1);
    return !placed.includes(rest) && !/^aps\.alert\.[a-z-]*loc-args/.test(rest) && !(rest && !rest.startsWith("aps"));
  });
}
export function isOfContent(source, path) { return ofContent.includes(path.slice(source.prefix.length)); }

/** {error, note} of a field: an error takes the place of a warning. */
export function says(problems) {
  const error = problems.find(({ severity }) => severity === "error");
  return { error: error && problemWords(error), note: problems[0] && problemWords(problems[0]) };
}

/** `source`, `locale` (a tab), `surroundings`, `cut` ({title, subtitle, body}: the words after which the phone cuts). */
export const ContentForm = {
  view: ({ attrs: { source, locale, surroundings, cut } }) => {
    const payload = payloadOf(source, locale);
    const change = (next) => changePayload(source, locale, next);
    const at = (name) => source.problemsAt(`${pathOf(locale)}.${name}`);
    const readonly = !source.isEditable;
    const saysAt = (problems) => ({ ...says(problems), remedy: !readonly && m(MendButton, { problems, payload, change }) });
    const reference = locale === null ? null : source.content.payload;
    const line = (name, more = {}) => {
      const value = text(payload, name);
      const whole = name === "body" ? at("aps.alert") : [];
      const { error, note, remedy } = saysAt([...at(`aps.alert.${name}`), ...whole]);
      const original = reference && text(reference, name);
      return m(SuggestField, {
        label: t(`content.${name}`), value, readonly, attributes: source.hasVariants ? surroundings?.attributes : [], lang: locale ?? undefined, dir: "auto", error, note, remedy,
        help: cut?.[name] ? t("content.cutAfter", { word: cut[name] }) : original && original !== value ? t("content.original", { text: original }) : undefined,
        oninput: (next) => change(setAlert(payload, name, next)), ...more,
      });
    };
    const simple = (name, more = {}) => m(TextField, {
      label: t(`content.aps.${name}`), value: payload.aps?.[name] ?? "", readonly, optional: true, ...saysAt(at(`aps.${name}`)),
      oninput: (next) => change(setAps(payload, name, next)), ...more,
    });
    const sound = payload.aps?.sound;
    const categories = surroundings?.categories ?? [];
    const category = payload.aps?.category ?? "";
    return m("div.stack",
      line("title", { "data-first": "" }), line("subtitle", { optional: true }), line("body", { rows: 4 }),
      source.hasVariants && m(MediaField, { source, media: surroundings?.media ?? [] }),
      m(SelectField, {
        label: t("content.category"), value: category, disabled: readonly, ...saysAt(at("aps.category")),
        help: categories.length ? t("content.categoryHelp") : m("span", rich("content.noCategories", { link: m("a", { href: page("/categories") }, t("nav.categories")) })),
        options: [{ value: "", label: t("content.noActions") }, ...categories.map(({ identifier, actions }) => ({
          value: identifier, label: `${identifier}${actions.length ? ` (${actions.map(({ title }) => typeof title === "string" ? title : title.default).join(", ")})` : ""}`,
        })), ...(category && !categories.some(({ identifier }) => identifier === category) ? [{ value: category, label: category }] : [])],
        onchange: (next) => change(setAps(payload, "category", next)),
      }),
      m("div.folds", [
        m("details.fold", { key: "look" }, m("summary", t("content.look")), m("div.stack",
          m("div.columns",
            typeof sound === "object"
              ? m(TextField, { label: t("content.aps.sound"), value: sound.name ?? "", readonly, help: t("content.criticalSound"), ...saysAt([...at("aps.sound"), ...at("aps.sound.name")]), oninput: (name) => change(setAps(payload, "sound", { ...sound, name })) })
              : simple("sound", { help: t("content.soundHelp"), placeholder: "default" }),
            simple("badge", { inputmode: "numeric", help: t("content.badgeHelp"), oninput: (next) => change(setAps(payload, "badge", parseBadge(next))) })),
          m(SelectField, {
            label: t("content.level"), value: payload.aps?.["interruption-level"] ?? "", disabled: readonly, ...saysAt(at("aps.interruption-level")),
            options: ["", "passive", "active", "time-sensitive", "critical"].map((value) => ({ value, label: t(`content.levels.${value || "none"}`) })),
            onchange: (next) => change(setAps(payload, "interruption-level", next)),
          }),
          m("div.columns",
            m(NumberField, { label: t("content.aps.relevance-score"), value: payload.aps?.["relevance-score"], min: 0, max: 1, step: 0.1, readonly, optional: true, help: t("content.relevanceHelp"), ...saysAt(at("aps.relevance-score")), oninput: (next) => change(setAps(payload, "relevance-score", next)) }),
            simple("thread-id", { help: t("content.threadHelp") })))),
        m("details.fold", { key: "delivery" }, m("summary", t("content.delivery")), m(DeliveryFields, { source })),
        m("details.fold", { key: "data" }, m("summary", t("content.data")), m("div.stack",
          m(CustomKeys, { payload, readonly, problemsAt: at, change }),
          m("div.columns", simple("target-content-id", { help: t("content.targetHelp") }), simple("filter-criteria", { help: t("content.filterHelp") })),
          ["content-available", "mutable-content"].map((name) => m("label.check", { key: name }, m("input", {
            type: "checkbox", disabled: readonly, checked: payload.aps?.[name] === 1, onchange: (event) => change(setAps(payload, name, event.target.checked ? 1 : undefined)),
          }), m("span", t(`content.aps.${name}`), at(`aps.${name}`)[0] && m("span.field-help.warn", problemWords(at(`aps.${name}`)[0]))))))),
        m("details.fold", { key: "keys" }, m("summary", t("content.locKeys")), m("div.stack", m("p.soft", t("content.locKeysHelp")), m("div.columns", keys.map((name) => {
          const value = payload.aps?.alert?.[name];
          return m(TextField, {
            key: name, label: t(`content.keys.${name}`), value: Array.isArray(value) ? value.join(", ") : value ?? "", readonly, optional: true, spellcheck: false,
            ...saysAt(name.endsWith("args") ? source.problemsAt(`${pathOf(locale)}.aps.alert.${name}`, true) : at(`aps.alert.${name}`)),
            oninput: (next) => change(setAlert(payload, name, name.endsWith("args") ? next ? next.split(/,\s*/) : [] : next)),
          });
        })))),
        m("details.fold", { key: "json" }, m("summary", "JSON"), m(JSONView, { value: payload, readonly, onchange: change })),
      ]));
  },
};
