// Asks for a role and where it holds: in all apps or in one.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { SelectField } from "../ui/field.js";
import { roles } from "./roles.js";

/**
 * `value` is {role, app_id}, app_id null for all apps; `onchange` gets the next one. `error(path)` finds a problem of
 * "role" or "app_id".
 */
export const RoleFields = {
  view: ({ attrs: { value, onchange, error = () => undefined } }) =>
    m(
      "div.columns",
      m(SelectField, {
        label: t("access.roleLabel"),
        value: value.role,
        help: t(`access.role.${value.role}.text`),
        error: error("role"),
        options: roles.map((role) => ({ value: role, label: t(`access.role.${role}.name`) })),
        onchange: (role) => onchange({ ...value, role }),
      }),
      m(SelectField, {
        label: t("access.where"),
        value: value.app_id ?? "",
        error: error("app_id"),
        help: value.app_id === null ? t("access.whereAll") : t("access.whereOne"),
        options: [
          { value: "", label: t("access.allApps") },
          ...session.apps.map(({ id, name }) => ({ value: id, label: name })),
        ],
        onchange: (id) => onchange({ ...value, app_id: id || null }),
      }),
    ),
};
