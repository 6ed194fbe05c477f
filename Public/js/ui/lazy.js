// A part of a page whose module is loaded when the part is first drawn.

import m from "../m.js";
import { t } from "../i18n.js";
import { loadModule } from "../modules.js";
import { Banner } from "./banner.js";
import { Button } from "./button.js";
import { Skeleton } from "./skeleton.js";

/** `module` is the path of a component, and `fields` are its attributes. */
export function Lazy({ attrs: { module } }) {
  let body = null, hasFailed = false;
  async function load() {
    hasFailed = false;
    try {
      body = (await loadModule(module)).default;
    } catch {
      hasFailed = true;
    }
    m.redraw();
  }
  load();
  return {
    view: ({ attrs: { fields } }) => {
      if (body) return m(body, fields);
      if (!hasFailed) return m(Skeleton, { rows: 2 });
      return m(
        Banner,
        { variant: "danger", role: "alert" },
        t("error.module"),
        m(Button, { variant: "plain", onclick: load }, t("action.retry")),
      );
    },
  };
}
