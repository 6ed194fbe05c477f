// A table of what each role may do. On a narrow screen each line names its roles.

import m from "../m.js";
import { t } from "../i18n.js";
import { Icon } from "../ui/icon.js";
import { abilities, roles } from "./roles.js";

export const RoleTable = {
  view: () =>
    m(
      "section.sheet.stack",
      { "aria-labelledby": "role-table" },
      m("div", m("h2#role-table", t("access.rolesTitle")), m("p.soft", t("access.rolesText"))),
      m(
        "table.role-table",
        { "aria-labelledby": "role-table" },
        m(
          "thead",
          m(
            "tr",
            m("td"),
            roles.map((role) => m("th", { key: role, scope: "col" }, t(`access.role.${role}.name`))),
          ),
        ),
        m(
          "tbody",
          abilities.map(([ability, able]) =>
            m(
              "tr",
              { key: ability },
              m("th", { scope: "row" }, t(`access.ability.${ability}`)),
              roles.map((role) =>
                m(
                  "td",
                  { key: role, class: able.includes(role) ? "may" : "" },
                  able.includes(role)
                    ? [
                      m(Icon, { name: "check-lg" }),
                      m("span.narrow-role", t(`access.role.${role}.name`)),
                      m("span.visually-hidden", t("access.may")),
                    ]
                    : m("span.visually-hidden", t("access.mayNot")),
                )
              ),
            )
          ),
        ),
      ),
    ),
};
