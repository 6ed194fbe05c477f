// The page of the address, or why it can't be shown.

import m from "../m.js";
import { t } from "../i18n.js";
import { permissionFor } from "../access.js";
import { route } from "../router.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { UnavailablePage } from "../ui/unavailable-page.js";

export const Page = {
  view: () => {
    const { component, params, arrival, error, isLoading } = route;
    if (error) {
      return m(
        Banner,
        { variant: "danger", role: "alert" },
        t("error.module"),
        m(Button, { variant: "plain", onclick: () => location.reload() }, t("action.reload")),
      );
    }
    if (!component) return isLoading ? m(Skeleton, { rows: 6 }) : null;
    if (params.app && !session.thisApp) {
      return m(
        UnavailablePage,
        { title: t("error.noApp"), text: t("error.noAppText") },
        m(Button, { variant: "strong", href: "/" }, t("action.home")),
      );
    }
    const needed = permissionFor(route.path);
    if (session.app && needed && !session.may(needed)) {
      const isWriting = needed.endsWith(":write");
      return m(
        UnavailablePage,
        { title: t(isWriting ? "error.mayNotWrite" : "error.mayNot"), text: t("error.mayNotText") },
        m(Button, { variant: "strong", href: "/" }, t("action.home")),
      );
    }
    return [m(component, { key: arrival, params, step: params.step })];
  },
};
