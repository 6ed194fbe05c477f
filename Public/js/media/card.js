// A file of the library as a card: its picture, what it is, and what can be done with it.

import m from "../m.js";
import { moment, t } from "../i18n.js";
import { Button } from "../ui/button.js";
import { copy } from "../ui/copy.js";
import { Icon } from "../ui/icon.js";
import { Menu } from "../ui/menu.js";
import { contentPath, dimensionsText, formatText, iconOf, learnDimensions, sizeText } from "./words.js";

/** The picture itself, or an icon for other files and pictures elsewhere: the page loads nothing from other servers. */
export function Picture() {
  let isBroken = false;
  return {
    view: ({ attrs: { file, alt = "" } }) => {
      const path = contentPath(file);
      if (file.kind !== "image" || !path || isBroken) {
        return m(
          "span.media-icon",
          m(Icon, { name: iconOf(file) }),
          m("span", isBroken ? t("mediaPage.broken") : formatText(file)),
        );
      }
      return m("img", {
        src: path,
        alt,
        loading: "lazy",
        decoding: "async",
        onload: (event) => learnDimensions(file, event.target),
        onerror: () => {
          isBroken = true;
        },
      });
    },
  };
}

/** `users` as of `usersOf`; `open` shows the details, `remove` deletes it, if the reader may. */
export const MediaCard = {
  view: ({ attrs: { file, users, open, remove } }) =>
    m(
      "li.media-card",
      m("button.media-thumb", {
        type: "button",
        "aria-label": t("mediaPage.details", { name: file.name }),
        onclick: open,
      }, m(Picture, { file })),
      m(
        "div.media-about",
        m("b.two-lines", { title: file.name, dir: "auto" }, file.name),
        m(
          "p.meta.media-facts",
          [formatText(file), sizeText(file.size), dimensionsText(file)].filter(Boolean).map((each) =>
            m("span.nowrap", each)
          ),
        ),
        m("p.meta", moment(file.created_at)),
        file.storage === "external" && m("p.meta", t("mediaPage.external")),
        file.warnings.some(({ code }) => code === "media-not-verified") &&
          m("p.meta", m("span.warn", t("mediaPage.unverified"))),
        m(
          "div.row.media-foot",
          m(
            "span.meta.grow",
            users?.length ? t("mediaPage.usedBy", { count: users.length }) : users && t("mediaPage.unused"),
          ),
          m(Button, {
            variant: "plain",
            class: "small",
            icon: "clipboard",
            title: t("mediaPage.copy"),
            "aria-label": t("mediaPage.copyOf", { name: file.name }),
            onclick: () => copy(file.url),
          }),
          m(Menu, {
            label: t("mediaPage.actions", { name: file.name }),
            icon: "three-dots",
            hidden: true,
            class: "row-menu",
            items: [
              { label: t("mediaPage.show"), icon: "info-circle", onclick: open },
              remove && { label: t("action.delete"), icon: "trash", variant: "danger", onclick: remove },
            ],
          }),
        ),
      ),
    ),
};
