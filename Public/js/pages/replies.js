// The inbox of replies: texts that people typed into the text field of a notification, newest first.

import m from "../m.js";
import { day, relativeDay, t } from "../i18n.js";
import { all, api, query } from "../api.js";
import { Loaded } from "../loading.js";
import { pagedList } from "../paged-list.js";
import { route } from "../router.js";
import { inApp, session } from "../session.js";
import { clearFilters, Filters, isFiltered, parameters } from "../replies/filters.js";
import { NoReplies } from "../replies/how.js";
import { byDay } from "../replies/period.js";
import { Reply } from "../replies/reply.js";
import { Button } from "../ui/button.js";
import { saveFile } from "../ui/download.js";
import { ask } from "../ui/dialog.js";
import { Empty } from "../ui/empty.js";
import { Pager } from "../ui/pager.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast, toastError } from "../ui/toast.js";

/** Characters of a reply that the question shows. */
const shown = 200;
const keyOf = ({ message_number: number, device_id: device, action }) => `${number}/${device}/${action ?? ""}`;

/**
 * Titles of buttons by the identifier of their action, null where categories title it differently: a reply does not
 * name its category.
 */
function titlesOf(categories) {
  const titles = new Map();
  for (const { identifier, title } of categories.flatMap(({ actions }) => actions)) {
    const text = typeof title === "string" ? title : title.default;
    titles.set(identifier, titles.has(identifier) && titles.get(identifier) !== text ? null : text);
  }
  return titles;
}

export default function RepliesPage() {
  const list = pagedList(inApp("/replies"), parameters);
  /** A reply without a title here shows the identifier of its button. */
  let buttons = new Map();
  all(inApp("/categories")).then((categories) => {
    buttons = titlesOf(categories);
    m.redraw();
  }, () => {});

  async function erase({ text, message_number: number, device_id: device, action }) {
    const beginning = text.length > shown ? `${text.slice(0, shown)}…` : text;
    if (
      !await ask({
        title: t("repliesPage.eraseTitle"),
        text: t("repliesPage.eraseText", { text: beginning }),
        confirm: t("repliesPage.eraseNow"),
      })
    ) return;
    await api.delete(inApp(`/replies/${number}/${device}`) + query({ action })).then(() => {
      toast(t("repliesPage.erased"));
      return list.reload();
    }, toastError);
  }

  const Export = ({ format }) => {
    const href = inApp("/replies/export") + query({ ...parameters(), format });
    return m(Button, {
      key: format,
      icon: "download",
      href,
      download: `replies.${format}`,
      onclick: (event) => {
        saveFile(event, href, `replies.${format}`);
      },
    }, t("repliesPage.export", { format: format.toUpperCase() }));
  };

  function nothing() {
    if (list.next) {
      return m(
        Empty,
        { icon: "search", title: t("repliesPage.notYet") },
        m(Button, { onclick: () => list.nextPage() }, t("list.older")),
      );
    }
    if (isFiltered()) {
      return m(Empty, {
        icon: "search",
        title: route.query.q ? t("list.nothing", { text: route.query.q }) : t("repliesPage.nothing"),
      }, m(Button, { onclick: () => clearFilters(list) }, t("list.clearFilters")));
    }
    if (list.hasBefore) {
      return m(
        Empty,
        { icon: "chat-left-text", title: t("repliesPage.end") },
        m(Button, { onclick: () => list.previousPage() }, t("list.newer")),
      );
    }
    return m(NoReplies);
  }

  const draw = () => [
    list.records.length
      ? byDay(list.records).map(({ day: date, replies }) =>
        m(
          "section.reply-day",
          { key: date },
          m("h2", day(date, { weekday: true }), m("span.soft.meta", ` ${relativeDay(date)}`)),
          m(
            "ol",
            replies.map((reply) =>
              m(Reply, {
                key: keyOf(reply),
                reply,
                buttons,
                erase: session.may("devices:write") && (() => erase(reply)),
              })
            ),
          ),
        )
      )
      : nothing(),
    m(Pager, { list }),
  ];

  return {
    onremove: () => list.end(),
    view: () => {
      // An inbox in which nothing ever was has nothing to filter. Not before that is known: the tools would push the
      // list aside.
      const hasTools = list.data ? list.records.length > 0 || isFiltered() || list.hasBefore || list.next : list.error;
      return [
        m(
          "div.page-head",
          m("h1", t("nav.replies")),
          session.may("devices:export") && hasTools &&
            m("div.row", ["csv", "ndjson"].map((format) => Export({ format }))),
        ),
        m(
          "div.sheet.stack",
          hasTools && m(Filters, { list }),
          Loaded({ resource: list, skeleton: m(Skeleton, { rows: 8, height: 44 }) }, draw),
        ),
      ];
    },
  };
}
