// The reference of the API, drawn from the server's own description.

import m from "../m.js";
import { t } from "../i18n.js";
import { load, Loaded } from "../loading.js";
import { Contents } from "../reference/contents.js";
import { loadDocument } from "../reference/document.js";
import { Operation } from "../reference/operation.js";
import { Start } from "../reference/start.js";
import { route, setQuery } from "../router.js";
import { page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Search } from "../ui/search.js";
import { Skeleton } from "../ui/skeleton.js";

export default function ReferencePage() {
  const resource = load(loadDocument);
  /**
   * The operation that had the focus last. One that is opened gets it, and the link of one that is closed, so that keys
   * and screen readers go on there.
   */
  let shown = route.query.operation;

  function draw(document) {
    const id = route.query.operation;
    const operation = document.operations.find((each) => each.id === id);
    return m(
      "div.reference",
      { class: operation ? "has-operation" : "" },
      m(
        "div.sheet.reference-list.stack",
        m(Search, { label: t("reference.search"), value: route.query.q, onsearch: (q) => setQuery({ q }) }),
        m(Contents, { document, chosen: operation }),
      ),
      m(
        "div.sheet.reference-main",
        operation &&
          m(
            "a.back.meta.reference-back",
            { href: page(`/reference${route.query.q ? `?${new URLSearchParams({ q: route.query.q })}` : ""}`) },
            m(Icon, { name: "chevron-left" }),
            t("reference.back"),
          ),
        id && !operation && m(Banner, { variant: "warn" }, t("reference.missing", { id })),
        operation ? [m(Operation, { key: operation.id, document, operation })] : m(Start, { document }),
      ),
    );
  }
  return {
    onremove: () => resource.end(),
    onupdate: () => {
      const { operation } = route.query;
      if (operation === shown || !resource.data) return;
      const { document } = globalThis;
      const target = document.getElementById("operation") ??
        document.querySelector(`.contents [href$="operation=${CSS.escape(shown)}"]`);
      shown = operation;
      target?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: "nearest" });
    },
    view: () => [
      m(
        "div.page-head",
        m("h1", t("nav.reference")),
        session.may("keys") && m(Button, { icon: "key", href: page("/keys") }, t("nav.keys")),
        m(Button, { icon: "download", href: "/openapi.json", download: "openapi.json" }, t("reference.download")),
      ),
      Loaded({ resource, skeleton: m("div.sheet", m(Skeleton, { rows: 12 })) }, draw),
    ],
  };
}
