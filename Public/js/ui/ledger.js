import m from "../m.js";
import { number } from "../i18n.js";
import { Term } from "./term.js";

/** The terms whose sum is `targeted`. Deferred recipients are counted in their later batch. */
export const terms = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"];

/** The ledger of a run as a sum. `href(term)` leads to the people behind a number. */
export const Ledger = {
  view: ({ attrs: { ledger, href } }) =>
    m(
      "div.ledger",
      m(
        "dl.sum",
        ["targeted", ...terms].map((term) =>
          m(
            "div",
            { key: term, class: ledger[term] === 0 ? "zero" : "", "data-term": term },
            m(
              "dt",
              term === "targeted"
                ? m(Term, { name: term })
                : m("span.kind", { "data-kind": term }, m(Term, { name: term })),
            ),
            m(
              "dd",
              href && ledger[term] > 0 ? m("a", { href: href(term) }, number(ledger[term])) : number(ledger[term]),
            ),
          )
        ),
      ),
    ),
};
