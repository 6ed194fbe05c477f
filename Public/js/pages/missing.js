import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { Button } from "../ui/button.js";
import { Nowhere } from "../ui/nowhere.js";
import { openPalette } from "../palette/palette.js";

export default {
  view: () =>
    m(
      Nowhere,
      { title: t("error.missing"), text: t("error.missingText"), detail: location.pathname },
      m(Button, { look: "strong", href: "/" }, t("action.home")),
      session.app && m(Button, { icon: "search", onclick: openPalette }, t("palette.button")),
    ),
};
