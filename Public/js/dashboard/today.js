// Today's pushes and events, in the time zone of the reader.

import m from "../m.js";
import { city, number, t, zone } from "../i18n.js";
import { api } from "../api.js";
import { midnight } from "../local-days.js";
import { inApp, page } from "../session.js";
import { Term } from "../ui/term.js";

/** Today's counts, all null if they are not known. */
export async function loadToday(signal) {
  try {
    const begin = midnight(Date.now());
    // Later than now, so that the reader's clock may be slow.
    const { units } = await api.get(inApp("/statistics/series"), {
      unit: "day",
      time_zone: zone,
      since: begin.toISOString(),
      until: midnight(begin, 1).toISOString(),
    }, { signal });
    const { accepted = 0, engaged = 0, conversions = 0 } = units[0] ?? {};
    return { accepted, engaged, conversions };
  } catch (error) {
    // A server that does not know the zone of this browser has no "today".
    if (error.code === "unknown-time-zone") return null;
    throw error;
  }
}

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
