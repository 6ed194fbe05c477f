import m from "../m.js";
import { t } from "../i18n.js";
import { Button } from "../ui/button.js";

export default {
  view: () => m("div.stack", m("h1", t("error.missing")), m("p.soft", t("error.missingText")), m("div.row", m(Button, { href: "/" }, t("action.home")))),
};
