// How often people reacted to each notification of a plan.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { Table } from "../ui/table.js";
import { alertOf } from "./notification-card.js";

const kinds = ["presented", "opened", "actions", "dismissed"];

/** `counts` are the server's; `notifications` are the plan's, without those that were removed. */
export const Reactions = {
  view: ({ attrs: { notifications, counts } }) => {
    const nameOf = (identifier) => {
      const found = notifications.find((each) => each.identifier === identifier);
      const { title, body } = found ? alertOf(found.content) : {};
      return found ? title || body || t("plan.noText") : m("span.soft", t("plan.removedOne", { identifier }));
    };
    return m(
      "section.sheet.stack",
      m("h2", t("plan.reactions")),
      m(Table, {
        label: t("plan.reactions"),
        records: counts.map((each) => ({ ...each, id: each.identifier })),
        columns: [
          {
            id: "notification",
            label: t("plan.notification"),
            wide: true,
            cell: ({ identifier }) => nameOf(identifier),
          },
          ...kinds.map((kind) => ({
            id: kind,
            label: t(`plan.reaction.${kind}`),
            number: true,
            cell: (each) => number(each[kind]),
          })),
        ],
        empty: m("p.soft", t("plan.noReactions")),
      }),
      m("p.soft.meta", t("plan.reactionsHelp")),
    );
  },
};
