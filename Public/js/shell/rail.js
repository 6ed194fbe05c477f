// The rail beside every page: the app and its pages. Where there is little room, a button of the top bar opens it.

import m from "../m.js";
import { number, t } from "../i18n.js";
import { mayOpen, setup, work } from "../navigation.js";
import { waitingApprovals } from "../approvals.js";
import { page, session } from "../session.js";
import { Bell } from "../ui/bell.js";
import { Icon } from "../ui/icon.js";
import { AppSwitcher } from "./app-switcher.js";

/** Pages that belong to one of the rail without being below its address. */
const under = { "/devices": ["/people"] };

export const Rail = {
  view: ({ attrs: { isOpen } }) => {
    const here = location.pathname;
    const entry = (place) => {
      if (!mayOpen(place)) return null;
      const [path, name, icon] = place;
      const href = page(path);
      const isHere = [href, ...(under[path] ?? []).map((each) => page(each))].some((each) =>
        here === each || (path && here.startsWith(`${each}/`))
      );
      return m(
        "li",
        { key: name },
        m(
          "a",
          { href, "aria-current": isHere ? "page" : undefined },
          m(Icon, { name: icon }),
          m("span", t(`nav.${name}`)),
          name === "approvals" && waitingApprovals() > 0 &&
            m("span.tab-badge.push", {
              "aria-label": t("nav.waiting", { count: waitingApprovals() }),
            }, number(waitingApprovals())),
        ),
      );
    };
    return m(
      "aside.rail",
      { class: isOpen ? "open" : "" },
      m("a.brand", { href: "/" }, m(Bell), m("span", "Belfry")),
      session.current && m(AppSwitcher),
      session.app &&
        m(
          "nav",
          { "aria-label": t("nav.label") },
          m("ul", work.map(entry).filter(Boolean)),
          m("h2.rail-head", t("nav.setup")),
          m("ul", setup.map(entry).filter(Boolean)),
        ),
    );
  },
};
