// The phone beside the form: the text that it shows, for which person, in which state; and the size of the push.

import m from "../m.js";
import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { session } from "../session.js";
import { Phone } from "./phone.js";
import { shownCategory } from "./buttons.js";
import { Tabs } from "../ui/tabs.js";
import { render } from "./liquid.js";
import { localeName, variantFor } from "../locales/locales.js";
import { words } from "../payload/fields.js";
import { ByteMeter } from "./meter.js";
import { isVisible, text } from "./payload.js";
import { SeenBy } from "./seen-by.js";
import { filledPayload, sentPayload } from "./sent-payload.js";
import { mediaFile, shownPush } from "./shown-push.js";
import { TapLine } from "./tap-line.js";
import { TestPush } from "./test-push.js";

const places = ["lock", "banner", "expanded", "list"];

/** The settings of the phone, kept while the page is open. */
export function stageState() {
  return {
    place: "lock",
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    size: 0,
    isLocked: false,
    width: 393,
    person: null,
    isFull: false,
    cut: {},
  };
}

/**
 * `stage` (of `stageState`), `source`, `locale` (the tab), `payload`, `preview`, `previewData`, `person` (of
 * `personSeen`).
 */
export const Stage = {
  view: ({ attrs: { stage, source, locale, payload, preview, previewData, person } }) => {
    const { categories = [], media = [] } = previewData ?? {};
    // The tab says which text is shown; the phone speaks its language, or the person's where they agree.
    const shown = locale ??
      (variantFor(source.content, person.locale, session.thisApp.default_locale) === null
        ? person.locale
        : session.thisApp.default_locale);
    const fresh = preview.isFresh(source.content, person.as);
    const variant = preview.variant(locale);
    // Own texts are sent as they are, with their braces: nothing about them has to be asked.
    const served = source.hasVariants && fresh && variant?.payload;
    const sent = sentPayload(
      source.hasVariants ? filledPayload(payload, person.values, shown) : payload,
      session.thisApp,
      mediaFile(source.content, media),
    );
    const write = (
      name,
    ) => (served
      ? text(served, name)
      : source.hasVariants
      ? render(text(payload, name), person.values, shown)
      : text(payload, name));
    const isEmpty = !isVisible(payload);
    const isSilent = isEmpty && (source.content.push_type === "background" || payload.aps?.["content-available"] === 1);
    const found = shownPush({ payload, content: source.content, write, media });
    const push = {
      ...found,
      title: found.title || (isEmpty ? t("content.sampleTitle") : ""),
      body: found.body || (isEmpty ? t("content.sampleBody") : ""),
      isMuted: found.isMuted && !isEmpty,
    };
    const category = shownCategory(
      payload,
      categories,
      (title) => (source.hasVariants ? render(title, person.values, shown) : title),
    );
    const attrs = {
      ...stage,
      push,
      category,
      locale: shown,
      app: { name: session.nameOnPhones },
      label: t("phone.label", { title: push.title, body: push.body }),
      silent: isSilent ? t("phone.silent") : undefined,
      oncut: (cut) => {
        if (words.every(({ name }) => cut[name] === stage.cut[name])) return;
        // Told after it was drawn, so the form is drawn once more.
        stage.cut = cut;
        requestAnimationFrame(() => m.redraw());
      },
    };
    const toggle = (name, isOn = stage[name], onclick = () => {
      stage[name] = !stage[name];
    }) =>
      m(
        "button.chip",
        { key: name, type: "button", "aria-pressed": isOn ? "true" : "false", onclick },
        t(`phone.${name}`),
      );
    return m(
      "aside.stage",
      { class: `${stage.isFull ? "full" : ""} ${isEmpty ? "sample" : ""}`, "aria-label": t("phone.title") },
      m(
        "button.stage-dock",
        {
          type: "button",
          "aria-expanded": stage.isFull ? "true" : "false",
          onclick: () => {
            stage.isFull = !stage.isFull;
          },
        },
        stage.isFull ? t("action.close") : [
          m(
            "span.stage-dock-title",
            m("b.cut", push.title || attrs.app.name),
            source.hasVariants && m("span.meta", localeName(shown)),
          ),
          m("span.cut.soft", push.body),
          m("span.visually-hidden", t("phone.open")),
        ],
      ),
      m(
        "div.stage-body",
        m(Tabs, {
          label: t("phone.places"),
          active: stage.place,
          onchange: (place) => {
            stage.place = place;
          },
          tabs: places.map((id) => ({ id, label: t(`phone.place.${id}`) })),
        }),
        m(SeenBy, {
          previewData,
          person,
          isPlain: !source.hasVariants,
          onchange: (chosen) => {
            stage.person = chosen;
          },
        }),
        m("div.stage-phone", m(Phone, attrs)),
        !isSilent && m(TapLine, { payload, write: (link, key) => (served || sent)[key] ?? link }),
        source.hasVariants && fresh && variant?.missing?.length > 0 &&
          m(
            "p.field-help.warn",
            t(person.isNobody ? "phone.missingNobody" : "phone.missing", {
              name: person.name,
              names: list(variant.missing),
            }),
          ),
        source.hasVariants && fresh && variant?.unusable?.length > 0 &&
          m("p.field-help.warn", t("phone.unusable", { name: person.name, names: list(variant.unusable) })),
        m("div.chips", [
          toggle("isDark"),
          toggle("isLocked"),
          toggle("large", stage.size > 0, () => {
            stage.size = (stage.size + 1) % 4;
          }),
          toggle("narrow", stage.width !== 393, () => {
            stage.width = { 393: 375, 375: 430, 430: 393 }[stage.width];
          }),
        ]),
        m(ByteMeter, { payload: sent, variant: source.hasVariants && fresh ? variant : undefined }),
        m(TestPush, { source }),
        m("p.field-help.soft", t("phone.about")),
      ),
    );
  },
};
