// The list of operations by tag. Only open groups are drawn; a search opens those that match.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { route } from "../router.js";
import { page, session } from "../session.js";
import { Icon } from "../ui/icon.js";
import { groupsOf } from "./document.js";
import { Method } from "./operation.js";
import { Prose } from "./prose.js";

/** The address of an operation; the search stays. */
function addressOf(id) {
  const { q } = route.query;
  return `${page("/reference", session.app)}?${new URLSearchParams({ ...(q && { q }), operation: id })}`;
}

export function Contents() {
  /** Groups that the reader opened or closed since the last search: tag → true or false. */
  const chosen = new Map();
  /** The search, and the operation that was open last: its group stays open. */
  let search, shown;
  return {
    view: ({ attrs: { document, chosen: operation } }) => {
      const { q = "" } = route.query;
      if (q !== search) chosen.clear();
      search = q;
      shown = operation ?? shown;
      const groups = groupsOf(document, search);
      if (!groups.length) return m("p.soft", t("list.nothing", { text: search }));
      return m(
        "nav.contents",
        { "aria-label": t("reference.contents") },
        groups.map(([tag, operations]) => {
          const isOpen = chosen.get(tag) ?? (Boolean(search) || shown?.tag === tag);
          return m(
            "section",
            { key: tag, "aria-label": tag },
            m(
              "h2.contents-head",
              m(
                "button",
                {
                  type: "button",
                  "aria-expanded": isOpen ? "true" : "false",
                  onclick: () => chosen.set(tag, !isOpen),
                },
                m(Icon, { name: isOpen ? "chevron-down" : "chevron-right" }),
                m("span", { lang: "en" }, tag),
                m("span.soft.meta.push", number(operations.length)),
              ),
            ),
            isOpen && m(
              "ul",
              operations.map((each) =>
                m(
                  "li",
                  { key: each.id },
                  m(
                    "a",
                    {
                      href: addressOf(each.id),
                      "aria-current": each.id === operation?.id ? "true" : undefined,
                    },
                    m(Method, { method: each.method }),
                    m(Prose, { text: each.summary ?? each.id }),
                  ),
                )
              ),
            ),
          );
        }),
      );
    },
  };
}
