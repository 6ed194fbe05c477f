// The API description (/openapi.json): loaded once, its operations listed, its references followed.

import { api } from "../api.js";

const methods = ["get", "post", "put", "patch", "delete"];

let loading = null;

/** The document with `operations`, [{id, method, path, tag, ...}], in its own order. Stays for as long as the tab. */
export function loadDocument() {
  loading ??= api.get("/openapi.json").then(
    (document) => ({ ...document, operations: operationsOf(document) }),
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, entry]) =>
    methods.filter((method) => method in entry).map((method) => {
      const operation = entry[method];
      const id = operation.operationId ?? `${method} ${path}`;
      return {
        ...operation,
        id,
        method,
        path,
        tag: operation.tags?.[0] ?? "",
        parameters: [...(entry.parameters ?? []), ...(operation.parameters ?? [])],
        text: [id, method, path, operation.summary, operation.tags].join(" ").toLowerCase(),
      };
    })
  );
}

/** Operations by tag that have all words of the search: [[tag, operations]]. */
export function groupsOf({ operations }, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map();
  for (const operation of operations) {
    if (!words.every((word) => operation.text.includes(word))) continue;
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  }
  return [...groups];
}

/** Resolves an object with `$ref`; members beside it, like a description, are kept. */
export function resolve(document, part) {
  let found = part ?? {};
  for (let depth = 0; found.$ref && depth < 8; depth++) {
    const { $ref, ...own } = found;
    const target = $ref.slice(2).split("/").reduce(
      (inside, name) => inside?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
      document,
    );
    found = { ...target, ...own, name: target?.name ?? own.name, title: target?.title ?? $ref.split("/").at(-1) };
  }
  return found;
}

/** The schema of a body or an answer, and its content type: {type, schema}, or null. */
export function contentOf({ content } = {}) {
  const [first] = Object.entries(content ?? {});
  return first
    ? { type: first[0], schema: first[1].schema, example: first[1].example, others: Object.keys(content).slice(1) }
    : null;
}
