// The rules of every request. The page shows them while no operation is open.

import m from "../m.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { Copy } from "../ui/copy.js";
import { Prose } from "./prose.js";

export const Start = {
  view: ({ attrs: { document: { info, operations } } }) =>
    m(
      "div.stack",
      m("h2", t("reference.startTitle", { title: info.title })),
      m("p", t("reference.startText", { count: operations.length })),
      m("p.soft", m(Prose, { text: info.description ?? "" })),
      m("h3", t("reference.firstTitle")),
      m(Copy, {
        label: t("reference.firstTitle"),
        text: `curl '${location.origin}/v1/apps/${session.app}' \\\n  -H "Authorization: Bearer $BELFRY_KEY"`,
      }),
      m("p.soft.meta", t("reference.exampleText")),
    ),
};
