// One record of the log: a line that opens what it changed. Only an open one is drawn as a whole.

import m from "../m.js";
import { city, clock, day, moment, relative, t } from "../i18n.js";
import { Icon } from "../ui/icon.js";
import { changesOf } from "./changes.js";
import { actionWords, actorIcon, actorWords } from "./words.js";

const Value = {
  view: (
    { attrs: { value } },
  ) => (value === null
    ? m("span.soft", "–")
    : value.code
    ? m("pre.audit-json", { tabindex: 0 }, m("code", value.code))
    : m("span", { "data-raw": "", dir: "auto" }, value.text)),
};

/** Before and after, or the values alone if there was nothing before or is nothing left. */
const Changes = {
  view: ({ attrs: { record } }) => {
    const changes = changesOf(record);
    if (!changes.length) return m("p.soft", t("audit.noChanges"));
    const sides = [record.before !== null && "before", record.after !== null && "after"].filter(Boolean);
    return m(
      "table.audit-changes",
      { "aria-label": t("audit.changes") },
      m(
        "thead",
        m(
          "tr",
          m("th", { scope: "col" }, t("audit.memberLabel")),
          sides.map((side) =>
            m("th", { key: side, scope: "col" }, t(sides.length === 2 ? `audit.${side}` : "audit.value"))
          ),
        ),
      ),
      m(
        "tbody",
        changes.map((each) =>
          m(
            "tr",
            { key: each.path },
            m("th", { scope: "row" }, each.name ? [each.name, m("code.soft", each.path)] : m("code", each.path)),
            sides.map((side) =>
              m("td", {
                key: side,
                "data-label": sides.length === 2 ? t(`audit.${side}`) : "",
                class: sides.length === 2 && side === "before" ? "was" : "",
              }, m(Value, { value: each[side] }))
            ),
          )
        ),
      ),
    );
  },
};

const Details = {
  view: ({ attrs: { record } }) =>
    m(
      "div.audit-body.stack",
      m(Changes, { record }),
      m(
        "dl.facts.audit-facts",
        [
          [t("audit.time"), `${day(record.at, { year: true })} ${clock(record.at, { seconds: true })} ${city()}`],
          [t("audit.actionLabel"), m("code", record.action)],
          [t("audit.resource"), m("code.anywhere", record.resource)],
          [t("audit.from"), record.address ? m("code", record.address) : t("audit.onServer")],
          record.request_id && [t("audit.request"), m("code.anywhere", record.request_id)],
          [t("audit.number"), m("code", record.id)],
          [t("audit.hash"), m("code.anywhere", record.hash)],
        ].filter(Boolean).map(([label, value]) => m("div", { key: label }, m("dt", label), m("dd", value))),
      ),
    ),
};

/** `subject` is what it is about; `isOpen` and `ontoggle(isOpen)` keep what is open in the page's address. */
export const Entry = {
  view: ({ attrs: { record, subject, isOpen, ontoggle } }) =>
    m(
      "li.audit-entry",
      { class: isOpen ? "open" : "" },
      m(
        "div.audit-line",
        m("button.audit-toggle", {
          type: "button",
          "aria-expanded": isOpen ? "true" : "false",
          "aria-label": t("audit.show", { time: moment(record.at) }),
          onclick: () => ontoggle(!isOpen),
        }, m(Icon, { name: isOpen ? "chevron-down" : "chevron-right" })),
        m("span.audit-when", { title: relative(record.at) }, moment(record.at)),
        m(
          "span.audit-who",
          m(Icon, { name: actorIcon[record.actor.kind] ?? "person" }),
          m("span.anywhere", { title: t(`audit.actor.${record.actor.kind}`) }, actorWords(record.actor)),
        ),
        m("span.audit-what.anywhere", actionWords(record, subject)),
        m(
          "span.audit-from.soft",
          record.address ? m("code", record.address) : record.actor.kind === "console" ? t("audit.onServer") : "–",
        ),
      ),
      isOpen && m(Details, { record }),
    ),
};
