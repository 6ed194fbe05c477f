import m from "../m.js";
import { t } from "../i18n.js";
import { labelled } from "../phrases.js";
import { page } from "../session.js";

/**
 * The campaigns and segments that use a segment, with links; while there are some, it can only be archived. `users` are
 * {type, id, name}.
 */
export const UsedBy = {
  view: ({ attrs: { users } }) =>
    m(
      "div.used-by",
      m("h3", users.length ? t("segments.usedBy", { count: users.length }) : t("segments.unused")),
      users.map(({ type, id, name }) =>
        m(
          "div",
          { key: type + id },
          m("span.soft", labelled(t(`segments.kind.${type}`), "")),
          m("a", { href: page(`/${type}s/${id}`) }, name),
        )
      ),
    ),
};
