// Rules that are set on other pages, beside those of the app.

import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { page, session } from "../session.js";

export const Elsewhere = {
  view: () =>
    m(
      "ul.plain-list.elsewhere",
      m(
        "li",
        m("a", { href: page("/topics") }, t("nav.topics")),
        m("span.soft", labelled("", t("settings.topicsText"))),
      ),
      session.may("campaigns:read") &&
        m(
          "li",
          m("a", { href: page("/campaigns") }, t("nav.campaigns")),
          m("span.soft", labelled("", t("settings.campaignsText"))),
        ),
    ),
};
