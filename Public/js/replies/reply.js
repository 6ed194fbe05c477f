// One reply of the inbox: the text, who wrote it, to what, and with which button.

import m from "../m.js";
import { city, clock, moment, t } from "../i18n.js";
import { deviceHref, ending, personHref } from "../devices/words.js";
import { page, session } from "../session.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";

/** A phone may report a reply later: said when it is more than this, in milliseconds. */
const lateAfterMs = 3_600_000;

function Who({ user_id: user, installation }) {
  if (!user && !installation) return m("span.soft", t("repliesPage.nobody"));
  return [
    user && m("a", { href: personHref(user), dir: "auto" }, user),
    user && installation && " ",
    installation &&
    m(
      "a",
      { class: user ? "soft" : "", href: deviceHref({ installation }), title: installation },
      user ? t("repliesPage.device") : t("repliesPage.deviceOf", { ending: ending(installation) }),
    ),
  ];
}

function Campaign({ campaign_id: id, campaign_name: name, run_id: run }) {
  if (!id) return t("repliesPage.single");
  const text = name ?? t("repliesPage.campaignID", { id });
  return session.may("campaigns:read")
    ? m("a", { href: page(run ? `/campaigns/${id}/runs/${run}` : `/campaigns/${id}/report`), dir: "auto" }, text)
    : text;
}

/** `buttons` are titles of actions by identifier; `erase` is absent for those who may not. */
export const Reply = {
  view: ({ attrs: { reply, buttons, erase } }) => {
    const { text, action, at, received_at: received } = reply;
    const part = (icon, name, content) =>
      m(
        "span.reply-part",
        m(Icon, { name: icon }),
        m("span.visually-hidden", `${t(`repliesPage.part.${name}`)} `),
        m("span.anywhere", content),
      );
    return m(
      "li.reply",
      m("blockquote.reply-text", { dir: "auto", "data-raw": "" }, text),
      m(
        "div.row.reply-about",
        part("person", "who", Who(reply)),
        part("megaphone", "campaign", Campaign(reply)),
        action && part("reply", "button", [buttons.get(action) ?? m("code", action)]),
        m(
          "span.reply-part.nowrap",
          m(Icon, { name: "clock" }),
          m("time", { datetime: received }, `${clock(received)} ${city()}`),
          new Date(received) - new Date(at) > lateAfterMs && m("span", t("repliesPage.typed", { time: moment(at) })),
        ),
      ),
      erase &&
        m(Button, {
          variant: "plain",
          class: "small",
          icon: "trash",
          "aria-label": t("repliesPage.eraseOf", { text: text.slice(0, 40) }),
          onclick: erase,
        }, t("repliesPage.erase")),
    );
  },
};
