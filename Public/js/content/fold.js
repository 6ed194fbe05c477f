// A part of the form that is closed at first. Its head says what is set in it. Its module is loaded when it is opened.

import m from "../m.js";
import { t } from "../i18n.js";
import { loadModule } from "../modules.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";

/**
 * `title`; `set` are the values in it that are not as usual, in words; falsy ones are left out; `module` is the path of
 * the component inside, and `fields` are its attributes.
 */
export function Fold() {
  let body = null, state = "closed";
  async function load(path) {
    state = "loading";
    try {
      body = (await loadModule(path)).default;
    } catch {
      state = "failed";
    }
    m.redraw();
  }
  const inside = ({ module, fields }) => {
    if (body) return m(body, fields);
    if (state === "loading") return m(Skeleton, { rows: 2 });
    return state === "failed" && m(
      Banner,
      { variant: "danger", role: "alert" },
      t("error.module"),
      m(Button, { variant: "plain", onclick: () => load(module) }, t("action.retry")),
    );
  };
  return {
    view: ({ attrs: { title, set = [], ...rest } }) => {
      const values = set.filter(Boolean);
      return m(
        "details.fold",
        {
          ontoggle: ({ target }) => {
            if (target.open && !body) load(rest.module);
          },
        },
        m("summary", title, values.length > 0 && m("span.fold-values.soft", values.join(" · "))),
        inside(rest),
      );
    },
  };
}
