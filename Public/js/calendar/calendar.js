// The calendar, a month at a time: scheduled campaigns, and the times of those that repeat.

import m from "../m.js";
import { city, format, number, t, zone } from "../i18n.js";
import { labelled } from "../phrases.js";
import { all } from "../api.js";
import { load, Loaded } from "../loading.js";
import { route, setQuery } from "../router.js";
import { inApp } from "../session.js";
import { addressOf } from "../campaigns/cells.js";
import { isSchedulePaused } from "../campaigns/recurrence.js";
import { weekdayName } from "../schedule/words.js";
import { weekdays } from "../schedule/rule.js";
import { wallClock } from "../schedule/zones.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/skeleton.js";
import { addMonths, isMonth, weeksOf } from "./dates.js";
import { plannedBetween } from "./planned.js";

/** Campaigns that a day shows before it is opened. */
const most = 4;

/** The calendar of `campaigns?view=calendar`; the month is in the address. */
export default function Calendar() {
  const campaigns = load(() => all(inApp("/campaigns"), { state: "scheduled" }));
  const opened = new Set();
  const today = () => wallClock(Date.now(), zone).slice(0, 10);
  const shown = () => (isMonth(route.query.month) ? route.query.month : today().slice(0, 7));
  const show = (month) => setQuery({ month: month === today().slice(0, 7) ? null : month });

  const Head = (month) => {
    const step = (count, icon, key) =>
      m(Button, {
        class: "small",
        icon,
        "aria-label": t(`calendar.${key}`),
        title: t(`calendar.${key}`),
        onclick: () => show(addMonths(month, count)),
      });
    return m(
      "div.row.calendar-head",
      m("h2", { "aria-live": "polite" }, monthName(month)),
      m(
        "div.row.nowrap.push",
        m(Button, { class: "small", onclick: () => show(today().slice(0, 7)) }, t("calendar.today")),
        step(-1, "chevron-left", "previous"),
        step(1, "chevron-right", "next"),
      ),
    );
  };
  const Entry = ({ campaign, time, isLocal, isRepeat }) =>
    m(
      "li",
      { key: campaign.id + time, "data-row": "", class: isRepeat ? "repeat" : "" },
      m(
        "a.row-link",
        { href: addressOf(campaign), title: isLocal ? t("campaigns.localTime", { time }) : undefined },
        m(
          "span.calendar-time",
          time,
          isLocal && m(Icon, { name: "phone", label: t("calendar.local") }),
          isRepeat && m(Icon, { name: "arrow-repeat", label: t("calendar.repeats") }),
        ),
        m("span.calendar-name", { dir: "auto" }, campaign.name),
      ),
    );
  const Day = (date, month, entries) => {
    const isToday = date === today(), hidden = opened.has(date) ? 0 : Math.max(0, entries.length - most);
    return m(
      "td",
      {
        key: date,
        class: [date.slice(0, 7) !== month && "other", !entries.length && "free", isToday && "today"].filter(Boolean)
          .join(" "),
        "aria-current": isToday ? "date" : undefined,
      },
      m(
        "time.calendar-day",
        { datetime: date },
        m("span.calendar-weekday", dayName(date)),
        m("span.calendar-number", number(Number(date.slice(8)))),
        isToday && m("span.visually-hidden", t("calendar.today")),
      ),
      entries.length > 0 && m("ul", entries.slice(0, entries.length - hidden).map(Entry)),
      hidden > 0 && m(
        "button.link-button.meta",
        { type: "button", onclick: () => opened.add(date) },
        t("calendar.more", { count: hidden }),
      ),
    );
  };
  return {
    onremove: () => campaigns.end(),
    view: () => {
      const month = shown(), weeks = weeksOf(month);
      return m(
        "div.calendar",
        {
          onkeydown: (event) => {
            const step = { PageUp: -1, PageDown: 1 }[event.key];
            if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            show(addMonths(month, step));
          },
        },
        Head(month),
        Loaded({ resource: campaigns, skeleton: m(Skeleton, { rows: 6, height: 88 }) }, (data) => {
          const planned = plannedBetween(
            data.filter((each) => !isSchedulePaused(each)),
            weeks[0][0],
            weeks.at(-1)[6],
            zone,
          );
          return [
            m(
              "table",
              { "aria-label": labelled(t("calendar.title"), monthName(month)) },
              m("thead", m("tr", weekdays.map((each) => m("th", { key: each, scope: "col" }, weekdayName(each))))),
              m(
                "tbody",
                weeks.map((week) =>
                  m(
                    "tr",
                    { key: week[0] },
                    week.map((date) => Day(date, month, planned.filter((each) => each.date === date))),
                  )
                ),
              ),
            ),
            !planned.some(({ date }) => date.startsWith(month)) && m("p.calendar-none.soft", t("calendar.none")),
            m(
              "p.meta.calendar-legend",
              t("calendar.zone", { city: city() }),
              m("span", m(Icon, { name: "phone" }), t("calendar.local")),
              m("span", m(Icon, { name: "arrow-repeat" }), t("calendar.repeats")),
            ),
          ];
        }),
      );
    },
  };
}

const utc = (date) => Date.parse(`${date}T00:00:00Z`);
const monthName = (month) =>
  format("DateTimeFormat", { year: "numeric", month: "long", timeZone: "UTC" }).format(utc(`${month}-01`));
const dayName = (date) => format("DateTimeFormat", { weekday: "short", timeZone: "UTC" }).format(utc(date));
