import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { Button } from "../ui/button.js";
import { UnavailablePage } from "../ui/unavailable-page.js";
import { openPalette } from "../palette/palette.js";

export default {
  view: () =>
    m(
      UnavailablePage,
      { title: t("error.missing"), text: t("error.missingText"), detail: location.pathname },
      m(Button, { variant: "strong", href: "/" }, t("action.home")),
      session.app && m(Button, { icon: "search", onclick: openPalette }, t("palette.button")),
    ),
};
