import m from "../m.js";
import { t } from "../i18n.js";
import { page } from "../session.js";
import { Button } from "../ui/button.js";

/** Instead of the page of a campaign or run that does not exist. */
export const Missing = {
  view: () => m("div.stack", m("h1", t("error.missing")), m("p.soft", t("error.missingText")), m("div.row", m(Button, { href: page("/campaigns") }, t("nav.campaigns")))),
};
