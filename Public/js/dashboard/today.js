// Today's pushes and events, by the clocks of the reader.

import m from "../m.js";
import { city, number, t } from "../i18n.js";
import { page } from "../session.js";
import { Term } from "../ui/term.js";

/** The address of today's numbers. */
function href() {
  const now = new Date();
  const two = (part) => String(part).padStart(2, "0");
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return page(`/analytics?period=own&from=${date}&to=${date}&unit=hour`);
}

export const Today = {
  view: ({ attrs: { today } }) => {
    const figure = (name, label) =>
      m("div", { "data-today": name }, m("p.figure-large", number(today[name])), m("span.meta", label));
    const isQuiet = !today.accepted && !today.engaged && !today.conversions;
    return m(
      "section.sheet.today-view",
      { "aria-label": t("dashboard.today") },
      m(
        "div.part-head",
        m("div.grow", m("h2", t("dashboard.today")), m("p.meta", t("dashboard.todayText", { city: city() }))),
        m("a", { href: href() }, t("dashboard.numbers")),
      ),
      isQuiet ? m("p.soft", t("dashboard.todayNone")) : m(
        "div.figures",
        figure("accepted", m(Term, { name: "accepted" }, t("dashboard.accepted"))),
        figure("engaged", m(Term, { name: "engaged" }, t("dashboard.engaged"))),
        figure("conversions", t("dashboard.conversions", { count: today.conversions })),
      ),
    );
  },
};
