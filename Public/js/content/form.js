// The form of one payload: what people read first, everything else behind a line that opens.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { page } from "../session.js";
import { SelectField, TextField } from "../ui/field.js";
import { CustomKeys } from "./custom-keys.js";
import { DeliveryFields, deliveryValues } from "./delivery.js";
import { fieldProblems } from "../problems/field-problems.js";
import { Fold } from "./fold.js";
import { JSONView } from "./json-view.js";
import { LookFields, lookValues } from "./look-fields.js";
import { MediaField } from "./media.js";
import { MendButton } from "./mend.js";
import { ownKeys, setAlert, setAps, text } from "./payload.js";
import { problemWords } from "../problems/problem-words.js";
import { SoundField } from "./sound-field.js";
import { pathOf, payloadOf } from "./source.js";
import { SuggestField } from "./suggest.js";

/** The paths that have a place in the form; other problems are shown above it. */
const placed = [
  "aps.alert",
  "aps.alert.title",
  "aps.alert.subtitle",
  "aps.alert.body",
  "aps.badge",
  "aps.sound",
  "aps.sound.name",
  "aps.category",
  "aps.thread-id",
  "aps.interruption-level",
  "aps.relevance-score",
  "aps.target-content-id",
  "aps.filter-criteria",
  "aps.content-available",
  "aps.mutable-content",
];
const keys = [
  "loc-key",
  "loc-args",
  "title-loc-key",
  "title-loc-args",
  "subtitle-loc-key",
  "subtitle-loc-args",
  "launch-image",
];
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
export function isOfContent(source, path) {
  return ofContent.includes(path.slice(source.prefix.length));
}

/**
 * `source`, `locale` (a tab), `previewData`, `cut` ({title, subtitle, body}: the words after which the phone cuts),
 * `change(payload)`.
 */
export const ContentForm = {
  view: ({ attrs: { source, locale, previewData, cut, change } }) => {
    const payload = payloadOf(source, locale);
    const at = (name) => source.problemsAt(`${pathOf(locale)}.${name}`);
    const readonly = !source.isEditable;
    const describeProblems = (problems) => ({
      ...fieldProblems(problems),
      remedy: !readonly && m(MendButton, { problems, payload, change }),
    });
    const reference = locale === null ? null : source.content.payload;
    const line = (name, more = {}) => {
      const value = text(payload, name);
      const whole = name === "body" ? at("aps.alert") : [];
      const { error, note, remedy } = describeProblems([...at(`aps.alert.${name}`), ...whole]);
      const original = reference && text(reference, name);
      return m(SuggestField, {
        label: t(`content.${name}`),
        value,
        readonly,
        attributes: source.hasVariants ? previewData?.attributes : [],
        lang: locale ?? undefined,
        dir: "auto",
        error,
        note,
        remedy,
        help: cut?.[name]
          ? t("content.cutAfter", { word: cut[name] })
          : original && original !== value
          ? t("content.original", { text: original })
          : undefined,
        oninput: (next) => change(setAlert(payload, name, next)),
        ...more,
      });
    };
    const simple = (name, more = {}) =>
      m(TextField, {
        label: t(`content.aps.${name}`),
        value: payload.aps?.[name] ?? "",
        readonly,
        optional: true,
        ...describeProblems(at(`aps.${name}`)),
        oninput: (next) => change(setAps(payload, name, next)),
        ...more,
      });
    const categories = previewData?.categories ?? [];
    const category = payload.aps?.category ?? "";
    return m(
      "div.stack",
      line("title", { "data-first": "" }),
      line("subtitle", { optional: true }),
      line("body", { rows: 4 }),
      source.hasVariants && m(MediaField, { source, media: previewData?.media ?? [] }),
      m(SelectField, {
        label: t("content.category"),
        value: category,
        disabled: readonly,
        ...describeProblems(at("aps.category")),
        help: categories.length ? t("content.categoryHelp") : m(
          "span",
          rich("content.noCategories", { link: m("a", { href: page("/categories") }, t("nav.categories")) }),
        ),
        options: [
          { value: "", label: t("content.noActions") },
          ...categories.map(({ identifier, actions }) => ({
            value: identifier,
            label: `${identifier}${
              actions.length
                ? ` (${actions.map(({ title }) => typeof title === "string" ? title : title.default).join(", ")})`
                : ""
            }`,
          })),
          ...(category && !categories.some(({ identifier }) => identifier === category)
            ? [{ value: category, label: category }]
            : []),
        ],
        onchange: (next) => change(setAps(payload, "category", next)),
      }),
      m(SoundField, {
        payload,
        readonly,
        change,
        describeProblems,
        problems: [...at("aps.sound"), ...at("aps.sound.name")],
      }),
      m("div.folds", [
        m(
          Fold,
          { key: "look", title: t("content.look"), set: lookValues(payload) },
          m(LookFields, { payload, at, describeProblems, readonly, change }),
        ),
        m(
          Fold,
          { key: "delivery", title: t("content.delivery"), set: deliveryValues(source.content) },
          m(DeliveryFields, { source }),
        ),
        m(
          Fold,
          { key: "data", title: t("content.data"), set: dataValues(payload) },
          m(
            "div.stack",
            m(CustomKeys, { payload, readonly, problemsAt: at, change }),
            m(
              "div.columns",
              simple("target-content-id", { help: t("content.targetHelp") }),
              simple("filter-criteria", { help: t("content.filterHelp") }),
            ),
            ["content-available", "mutable-content"].map((name) =>
              m(
                "label.check",
                { key: name },
                m("input", {
                  type: "checkbox",
                  disabled: readonly,
                  checked: payload.aps?.[name] === 1,
                  onchange: (event) => change(setAps(payload, name, event.target.checked ? 1 : undefined)),
                }),
                m(
                  "span",
                  t(`content.aps.${name}`),
                  at(`aps.${name}`)[0] && m("span.field-help.warn", problemWords(at(`aps.${name}`)[0])),
                ),
              )
            ),
          ),
        ),
        m(
          Fold,
          {
            key: "keys",
            title: t("content.locKeys"),
            set: keys.map((name) => payload.aps?.alert?.[name] && t(`content.keys.${name}`)),
          },
          m(
            "div.stack",
            m("p.soft", t("content.locKeysHelp")),
            m(
              "div.columns",
              keys.map((name) => {
                const value = payload.aps?.alert?.[name];
                return m(TextField, {
                  key: name,
                  label: t(`content.keys.${name}`),
                  value: Array.isArray(value) ? value.join(", ") : value ?? "",
                  readonly,
                  optional: true,
                  spellcheck: false,
                  ...describeProblems(
                    name.endsWith("args")
                      ? source.problemsAt(`${pathOf(locale)}.aps.alert.${name}`, true)
                      : at(`aps.alert.${name}`),
                  ),
                  oninput: (next) =>
                    change(setAlert(payload, name, name.endsWith("args") ? next ? next.split(/,\s*/) : [] : next)),
                });
              }),
            ),
          ),
        ),
        m(Fold, { key: "json", title: "JSON" }, m(JSONView, { value: payload, readonly, onchange: change })),
      ]),
    );
  },
};

/** The values that are set in "Data for the app", for its head. */
function dataValues(payload) {
  const aps = payload.aps ?? {};
  return [
    ...ownKeys(payload).map(([name]) => name),
    ...["target-content-id", "filter-criteria"].map((name) => aps[name] && t(`content.aps.${name}`)),
    aps["content-available"] === 1 && t("content.wakes"),
    aps["mutable-content"] === 1 && t("content.mutable"),
  ];
}
