import m from "../m.js";
import { day, format, number, t } from "../i18n.js";
import { page } from "../session.js";
import { Term } from "../ui/term.js";

/** The last seven days: `week` is what `summary` returns. */
export const Week = {
  view: ({ attrs: { week } }) => {
    const most = Math.max(1, ...week.days.map(({ accepted }) => accepted));
    return m(
      "section.sheet.week-view",
      m(
        "div.stack",
        m("h2", t("dashboard.week")),
        m(
          "div.figures",
          m(
            "div",
            m("p.figure-large", m("a.figure-link", { href: page("/analytics?period=7") }, number(week.accepted))),
            m("span.meta", m(Term, { name: "accepted" }, t("dashboard.accepted"))),
          ),
          m(
            "div",
            m("p.figure-large", number(week.engaged)),
            m("span.meta", m(Term, { name: "engaged" }, t("dashboard.engaged"))),
          ),
        ),
      ),
      m(
        "ol.week",
        { "aria-label": t("dashboard.perDay") },
        week.days.map(({ time, accepted: count }) =>
          m(
            "li",
            { key: time },
            m("span.meta", { class: count ? "" : "none" }, number(count)),
            m("i", { style: { height: `${(count / most) * 72}px` } }),
            m(
              "span.meta.week-day",
              m("span", format("DateTimeFormat", { weekday: "short" }).format(time)),
              " ",
              m("span.wide-label", day(time)),
              m("span.narrow-label", format("DateTimeFormat", { day: "numeric" }).format(time)),
            ),
          )
        ),
      ),
    );
  },
};
