// A file of the library, large, with everything that is known about it.

import m from "../m.js";
import { langOf, moment, t } from "../i18n.js";
import { sentence } from "../setup/problems.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";
import { Picture } from "./card.js";
import { inUseText, Users } from "./uses.js";
import { dimensionsText, formatText, sizeText } from "./words.js";

/** `error` is why it was not deleted. Without `remove` the reader may not do it. */
export const MediaDetails = {
  view: ({ attrs: { file, users, error, remove, onclose } }) => {
    const fact = (name, value) =>
      value && m("div", { key: name }, m("dt", t(`mediaPage.fact.${name}`)), m("dd", value));
    return m(
      Dialog,
      {
        title: file.name,
        wide: true,
        onclose,
        actions: [
          remove &&
          m(Button, {
            variant: "danger",
            icon: "trash",
            reason: users?.length ? inUseText(users) : undefined,
            onclick: remove,
          }, t("action.delete")),
          m(Button, { href: file.url, target: "_blank", rel: "noopener" }, t("mediaPage.openFile")),
          m(Button, { onclick: onclose, autofocus: true }, t("action.close")),
        ],
      },
      error && m(Banner, { variant: "danger", role: "alert" }, error.message),
      file.warnings.filter(({ code }) => code !== "not-https").map((each) =>
        m(Banner, { variant: "warn", key: each.code }, m("p", { lang: langOf(each.message) }, sentence(each)))
      ),
      m("div.media-large", m(Picture, { file, alt: t("mediaPage.pictureOf", { name: file.name }) })),
      m(
        "dl.facts",
        [
          fact("format", [formatText(file), file.content_type].filter(Boolean).join(" · ")),
          fact("size", sizeText(file.size)),
          fact("dimensions", dimensionsText(file)),
          fact("added", moment(file.created_at)),
          fact("storage", t(`mediaPage.storage.${file.storage === "external" ? "external" : "own"}`)),
          fact("users", m(Users, { users })),
        ].filter(Boolean),
      ),
      m("div", m("h3", t("mediaPage.address")), m("p.soft.meta", t("mediaPage.addressHelp"))),
      m(Copy, { label: t("mediaPage.address"), text: file.url }),
    );
  },
};
