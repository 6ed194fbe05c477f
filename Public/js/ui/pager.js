import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "./button.js";

/**
 * The pages of a list by cursor. `list` is a list resource (`paged-list.js`). Belfry's lists have no total, so there is
 * a next page or there is none. `newer` and `older` name the directions of a list that is sorted otherwise.
 */
export const Pager = {
  view: ({ attrs: { list, newer = t("list.newer"), older = t("list.older") } }) =>
    (list.hasBefore || list.next) &&
    m(
      "nav.pager",
      { "aria-label": t("list.pages") },
      m(Button, {
        icon: "chevron-left",
        onclick: () => list.previousPage(),
        reason: list.hasBefore ? undefined : t("list.first"),
      }, newer),
      m(
        Button,
        { icon: "chevron-right", onclick: () => list.nextPage(), reason: list.next ? undefined : t("list.last") },
        older,
      ),
    ),
};
