// The work that waits, over all apps.

import m from "../m.js";
import { duration, number, t } from "../i18n.js";

export const Work = {
  view: ({ attrs: { status: { backlog } } }) => {
    const figures = [
      ["sending", number(backlog.sending_runs)],
      ["paused", number(backlog.paused_runs)],
      [
        "due",
        number(backlog.due_batches),
        backlog.due_batches > 0 && t("status.oldest", { age: duration(backlog.oldest_due_seconds * 1_000) }),
      ],
      [
        "held",
        number(backlog.leased_batches),
        backlog.lapsed_leases > 0 && t("status.lapsed", { count: backlog.lapsed_leases }),
      ],
    ];
    return m(
      "section.sheet.stack.status-work",
      m("h2", t("status.work")),
      m(
        "div.figures",
        figures.map(([name, value, note]) =>
          m(
            "div",
            { key: name },
            m("span.meta", t(`status.figure.${name}`)),
            m("b", value),
            note && m("span.meta", note),
          )
        ),
      ),
    );
  },
};
