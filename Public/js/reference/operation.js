// One operation: its permission, its parameters, its body, its answers, and an example.

import m from "../m.js";
import { rich, t } from "../i18n.js";
import { session } from "../session.js";
import { Copy } from "../ui/copy.js";
import { curl } from "./curl.js";
import { contentOf, resolve } from "./document.js";
import { Prose } from "./prose.js";
import { Responses } from "./responses.js";
import { permissionOf } from "./permission.js";
import { limitWords, plain, typeWords } from "./schema.js";
import { Root } from "./tree.js";

export const Method = { view: ({ attrs: { method } }) => m("code.method", { class: method }, method.toUpperCase()) };

/** Text that tells which callers may call the operation, with the permission. */
function access(operation) {
  const schemes = (operation.security ?? []).flatMap(Object.keys);
  const permission = permissionOf(operation);
  if (!schemes.length) return m("p", t("reference.access.nobody"));
  return m(
    "ul.access-list",
    schemes.map((scheme) =>
      m(
        "li",
        { key: scheme },
        permission && scheme !== "publishableKey"
          ? rich(`reference.permitted.${scheme}`, { permission: m("code", permission) })
          : t(`reference.access.${scheme}`),
      )
    ),
  );
}

function Parameters(document, parameters) {
  return m(
    "ul.members",
    parameters.map((each) => {
      const schema = plain(document, each.schema);
      const limits = limitWords(schema);
      return m(
        "li.member",
        { key: `${each.in} ${each.name}` },
        m(
          "div.member-head",
          m("code.member-name", each.name),
          m("span.soft.meta", `${typeWords(document, schema)} · ${t(`reference.in.${each.in}`)}`),
          each.required && m("span.required.meta", t("reference.required")),
        ),
        m(
          "div.member-notes",
          limits.length > 0 && m("span.soft.meta", { "data-raw": "" }, limits.join(" · ")),
          (each.description ?? schema.description) && m(Prose, { text: each.description ?? schema.description }),
          (schema.enum ?? schema.items?.enum) &&
            m("span.values", (schema.enum ?? schema.items.enum).map((value) => m("code", { key: value }, value))),
        ),
      );
    }),
  );
}

/** `example` is the same for each drawing of an operation, so it is made once. */
export function Operation({ attrs: { document, operation } }) {
  const parameters = operation.parameters.map((each) => resolve(document, each));
  const body = contentOf(resolve(document, operation.requestBody));
  const isRequired = resolve(document, operation.requestBody).required;
  const example = curl(document, operation, { origin: location.origin, app: session.app });
  return {
    view: () =>
      m(
        "article.operation.stack",
        { "aria-labelledby": "operation" },
        m(
          "div.stack.tight",
          m("h2#operation", { tabindex: -1 }, m(Prose, { text: operation.summary ?? operation.id })),
          m("p.operation-path", m(Method, { method: operation.method }), m("code.anywhere", operation.path)),
          operation.description && m("p", m(Prose, { text: operation.description })),
        ),
        m(
          "section.stack",
          { "aria-labelledby": "access" },
          m("h3#access", t("reference.accessTitle")),
          access(operation),
        ),
        m(
          "section.stack",
          { "aria-labelledby": "example" },
          m("h3#example", t("reference.exampleTitle")),
          m(Copy, { label: t("reference.exampleTitle"), text: example }),
          m("p.soft.meta", t("reference.exampleText")),
        ),
        parameters.length > 0 &&
          m(
            "section.stack",
            { "aria-labelledby": "parameters" },
            m("h3#parameters", t("reference.parameters")),
            Parameters(document, parameters),
          ),
        body &&
          m(
            "section.stack",
            { "aria-labelledby": "body" },
            m("h3#body", t("reference.body"), " ", isRequired && m("span.required.meta", t("reference.required"))),
            m("p.soft.meta", m("code", body.type), body.others.map((each) => [", ", m("code", each)])),
            body.schema && m(Root, { document, part: body.schema }),
          ),
        m(
          "section.stack",
          { "aria-labelledby": "answers" },
          m("h3#answers", t("reference.answers")),
          m(Responses, { document, responses: operation.responses }),
        ),
      ),
  };
}
