// A notification as an iPhone shows it, at 1 px = 1 pt (PAGES §5). It is drawn from texts that are rendered already.

import m from "../m.js";
import { isRightToLeft, localized, phoneWords } from "./phone-words.js";
import { lastVisibleWord } from "./cut.js";
import { Icon } from "../ui/icon.js";

/** Lines of the body that each place shows. */
const bodyLines = { lock: 4, list: 4, banner: 2, expanded: 7 };
/** Width on the page in CSS pixels. */
const room = 340;
/** Width of the frame on both sides together. */
const frame = 20;

/**
 * `push`: {title, subtitle, body, media: {url, kind, isOwn} or null, level, isMuted}; `app`: {name}; `category` of the
 * API or null; `place`: lock, banner, expanded or list; `locale`, `isDark`, `size` (0 to 3), `isLocked`, `width` (375,
 * 393, 430). `oncut({title, subtitle, body})` tells after which word each text is cut off; null where it is not.
 */
export const Phone = {
  view: ({ attrs }) => {
    const { place, isDark, size = 0, width = 393, locale = "en", label, silent } = attrs;
    return m(
      "figure.phone",
      {
        "aria-label": label,
        role: "group",
        class: `at-${place} ${isDark ? "dark" : ""} size-${size}`,
        style: { width: `${width}px`, zoom: room / (width + frame) },
      },
      m(
        "div.phone-screen",
        { "aria-hidden": silent ? "true" : undefined },
        m("div.phone-island"),
        place === "banner" ? home() : place === "expanded" ? null : clock(locale),
        place === "list" && m("div.phone-center", { lang: locale }, phoneWords(locale).center),
        silent ? m("p.phone-silent", silent) : m(
          "div.phone-cards",
          { dir: isRightToLeft(locale) ? "rtl" : "ltr", lang: locale },
          m(Card, attrs),
          place === "expanded" && m(Actions, attrs),
          place === "list" && m(Card, { ...attrs, isOlder: true }),
        ),
        m("div.phone-bar"),
      ),
    );
  },
};

const clock = (locale) =>
  m(
    "div.phone-clock",
    { lang: locale },
    m(
      "div.phone-date",
      new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }).format(
        new Date(2026, 10, 23),
      ),
    ),
    m("div.phone-time", "9:41"),
  );

const home = () => m("div.phone-home", Array.from({ length: 16 }, (_, index) => m("i", { key: index })));

/** Tells what is cut off after it was drawn. */
function measure(dom, { oncut, isOlder }) {
  if (!oncut || isOlder) return;
  const words = {};
  for (const name of ["title", "subtitle", "body"]) {
    const part = dom.querySelector(`[data-part="${name}"]`);
    words[name] = part ? lastVisibleWord(part) : null;
  }
  oncut(words);
}

const Card = {
  oncreate: ({ dom, attrs }) => measure(dom, attrs),
  onupdate: ({ dom, attrs }) => measure(dom, attrs),
  view: ({ attrs: { push, app, category, place, locale, isLocked, isOlder } }) => {
    const words = phoneWords(locale);
    const hidden = isLocked && place !== "banner";
    const shows = (name) => !hidden || category?.options?.includes(`hiddenPreviewsShow${name}`);
    const body = hidden
      ? localized(category?.hidden_previews_body_placeholder, locale).replaceAll("%u", "1") || words.placeholder
      : push.body;
    const level = !isOlder && ["time-sensitive", "critical"].includes(push.level) && words[push.level];
    const media = !hidden && push.media;
    const title = (shows("Title") && push.title) || app.name;
    return m(
      "div.phone-card",
      { class: `${isOlder ? "older" : ""} ${media && place !== "expanded" && !isOlder ? "with-thumb" : ""}` },
      m("div.phone-icon", { "aria-hidden": "true" }, [...app.name][0]),
      m(
        "div.phone-texts",
        level && m("div.phone-level", level),
        m(
          "div.phone-head",
          m("div.phone-title", { "data-part": "title", dir: "auto" }, isOlder ? app.name : title),
          m(
            "div.phone-when",
            !isOlder && push.isMuted && m(Icon, { name: "bell-slash" }),
            isOlder ? words.ago : words.now,
          ),
        ),
        !isOlder && shows("Subtitle") && push.subtitle &&
          m("div.phone-subtitle", { "data-part": "subtitle", dir: "auto" }, push.subtitle),
        body &&
          m("div.phone-body", {
            "data-part": "body",
            dir: "auto",
            style: { WebkitLineClamp: isOlder ? 1 : bodyLines[place] },
          }, isOlder ? words.message : body),
      ),
      media && place !== "expanded" && !isOlder && m("div.phone-thumb", picture(media)),
      media && place === "expanded" && m("div.phone-media", picture(media)),
    );
  },
};

/** The policy of the pages lets pictures of this server be loaded; others are shown as a place for one. */
function picture({ url, kind, isOwn }) {
  if (kind === "image" && isOwn) return m("img", { src: new URL(url, location.href).pathname, alt: "" });
  return m(Icon, { name: { audio: "music-note-beamed", video: "play-btn" }[kind] ?? "image" });
}

const Actions = {
  view: ({ attrs: { category, locale } }) => {
    if (!category?.actions?.length) return null;
    const reply = category.actions.find((each) => each.text_input);
    return [
      m(
        "div.phone-actions",
        category.actions.map(({ identifier, title, options = [] }) =>
          m(
            "div.phone-action",
            { key: identifier, class: options.includes("destructive") ? "destructive" : "" },
            localized(title, locale),
          )
        ),
      ),
      reply &&
      m(
        "div.phone-reply",
        m("span.phone-input", localized(reply.text_input.placeholder, locale)),
        m("b", localized(reply.text_input.button_title, locale) || phoneWords(locale).send),
      ),
    ];
  },
};
