// The variants of a run in an A/B test: the ledger of each, and what devices reported.

import m from "../m.js";
import { number, share, t } from "../i18n.js";
import { terms } from "../ui/ledger.js";
import { Table } from "../ui/table.js";
import { groupName } from "./time-groups.js";

const reported = ["delivered", "opened", "engaged"];

/** `run` as the report follows it; `href(query)` leads to its recipients. Draws nothing without a test. */
export const RunVariants = {
  view: ({ attrs: { run, href } }) => {
    if (!run.variants) return null;
    const used = ["targeted", ...terms.filter((term) => run[term] > 0)];
    const link = (variant, query, count) =>
      count > 0
        ? m("a.figure-link", { href: href(`?${new URLSearchParams({ variant, ...query })}`) }, number(count))
        : m("span.soft", number(count));
    const title = t(run.compares === "times" ? "timeGroup.title" : "variants.title");
    return m(
      "section.sheet.stack.run-variants",
      m("h2", title),
      m(Table, {
        label: title,
        records: run.variants.map((each) => ({
          ...each,
          id: each.variant,
          name: run.compares === "times" ? groupName(each.variant) : each.name,
        })),
        columns: [
          { id: "name", label: t("variants.variant"), wide: true, cell: ({ name }) => m("b", { dir: "auto" }, name) },
          ...used.map((term) => ({
            id: term,
            label: t(`term.${term}.name`),
            number: true,
            cell: (each) => link(each.variant, term === "targeted" ? {} : { kind: term }, each[term]),
          })),
          ...reported.map((measure) => ({
            id: measure,
            label: t(`term.${measure}.name`),
            number: true,
            cell: (each) => [
              number(each[measure]),
              each.accepted > 0 && m("span.soft", ` ${share(each[measure], each.accepted, 1)}`),
            ],
          })),
        ],
      }),
      m("p.soft", t("variants.chance")),
    );
  },
};
