// Explains how replies come, while there are none.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";

export const NoReplies = {
  view: () =>
    m(
      "div",
      m(Empty, { icon: "chat-left-text", title: t("repliesPage.empty"), text: t("repliesPage.emptyText") }),
      m(
        "ol.how.reply-how",
        m("li", m("span", t("repliesPage.how.category"))),
        m("li", m("span", t("repliesPage.how.campaign"))),
        m("li", m("span", rich("repliesPage.how.app", { kind: m("code", "text") }))),
      ),
      m(
        "div.row.reply-ways",
        session.may("content:read") &&
          m(Button, { icon: "ui-checks", href: page("/categories") }, t("repliesPage.toCategories")),
        session.may("apps:read") &&
          m(Button, { icon: "braces", href: page("/reference") }, t("repliesPage.toReference")),
      ),
    ),
};
