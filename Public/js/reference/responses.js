// The answers of an operation: the results, and the problems that it can have.

import m from "../m.js";
import { t } from "../i18n.js";
import { contentOf, resolve } from "./document.js";
import { codes } from "./problems.js";
import { Prose } from "./prose.js";
import { Root } from "./tree.js";

/** A successful answer; its schema is drawn when it is opened. */
function Success() {
  let isOpen = false;
  return {
    view: ({ attrs: { document, status, response } }) => {
      const content = contentOf(response);
      const headers = Object.keys(response.headers ?? {});
      return m(
        "li.answer",
        m(
          "div.answer-head",
          m("code.status.good", status),
          m(Prose, { text: response.description ?? "" }),
          headers.length > 0 &&
            m(
              "span.soft.meta",
              t("reference.headers"),
              " ",
              headers.map((name) => [m("code", { key: name }, name), " "]),
            ),
        ),
        content?.schema && m(
          "details.answer-schema",
          {
            open: isOpen,
            ontoggle: (event) => {
              isOpen = event.target.open;
            },
          },
          m("summary", t("reference.schema"), " ", m("code.soft", content.type)),
          isOpen && m(Root, { document, part: content.schema }),
        ),
      );
    },
  };
}

export const Responses = {
  view: ({ attrs: { document, responses } }) => {
    const all = Object.entries(responses).map(([status, part]) => [status, resolve(document, part)]).sort(([a], [b]) =>
      a.localeCompare(b)
    );
    const problems = all.filter(([status]) => status >= "4");
    return [
      m(
        "ul.answers",
        all.filter(([status]) => status < "4").map(([status, response]) =>
          m(Success, { key: status, document, status, response })
        ),
      ),
      problems.length > 0 &&
      m(
        "details.more",
        m("summary", t("reference.problems", { count: problems.length })),
        m(
          "div.stack",
          m("p.soft", t("reference.problemsText")),
          m(
            "table.table.problem-table",
            { "aria-label": t("reference.problemsLabel") },
            m(
              "thead",
              m(
                "tr",
                ["status", "meaning", "codes"].map((name) =>
                  m("th", { key: name, scope: "col" }, t(`reference.${name}`))
                ),
              ),
            ),
            m(
              "tbody",
              problems.map(([status, { description }]) =>
                m(
                  "tr",
                  { key: status },
                  m("td", m("code.status", status)),
                  m("td.wide", m(Prose, { text: description ?? "" })),
                  m("td", (codes[status] ?? []).map((each) => [m("code", { key: each }, each), " "])),
                )
              ),
            ),
          ),
        ),
      ),
    ];
  },
};
