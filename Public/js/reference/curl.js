// An example of a request for the command line, with this server's address and this app's id. Does not use the DOM.

import { contentOf, resolve } from "./document.js";
import { plain } from "./schema.js";

/** Levels of an example body: below it only what an example in the description has. */
const depthLimit = 4;

/** `{origin, app}` fill the address; what only the reader knows is in capital letters. */
export function curl(document, operation, { origin, app }) {
  const parameters = operation.parameters.map((each) => resolve(document, each));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => (name === "app" && app ? app : name.toUpperCase()));
  const needed = parameters.filter((each) => each.in === "query" && each.required).map(({ name }) =>
    `${name}=${name.toUpperCase()}`
  );
  const lines = [`curl '${origin}${path}${needed.length ? `?${needed.join("&")}` : ""}'`];
  if (operation.method !== "get") lines[0] = lines[0].replace("curl", `curl -X ${operation.method.toUpperCase()}`);
  lines.push(...authorization(operation));
  for (const { name, required } of parameters.filter((each) => each.in === "header")) {
    if (name === "Idempotency-Key") lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
    else if (required) lines.push(`-H '${name}: ${name === "If-Match" ? '"1"' : name.toUpperCase()}'`);
  }
  lines.push(...bodyOf(document, operation));
  return lines.join(" \\\n  ");
}

function authorization({ security = [] }) {
  const schemes = security.flatMap(Object.keys);
  if (schemes.includes("secretKey") || schemes.includes("publishableKey")) {
    return ['-H "Authorization: Bearer $BELFRY_KEY"'];
  }
  return schemes.includes("session") ? ['-H "Cookie: belfry_session=$BELFRY_SESSION"'] : [];
}

function bodyOf(document, { requestBody }) {
  const content = contentOf(resolve(document, requestBody));
  if (!content) return [];
  if (!content.type.includes("json") || content.type.includes("ndjson")) {
    return [`-H 'Content-Type: ${content.type}'`, "--data-binary @FILE"];
  }
  const example = content.example ?? exampleOf(document, content.schema, 0);
  return [`-H 'Content-Type: ${content.type}'`, `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`];
}

/** The description's own example, or one with the required members. */
function exampleOf(document, part, depth) {
  const schema = plain(document, part);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.options) return exampleOf(document, schema.options[0], depth);
  const type = [schema.type].flat().find((each) => each && each !== "null");
  if (type === "array") return depth < depthLimit && schema.items ? [exampleOf(document, schema.items, depth + 1)] : [];
  if (type === "object" || schema.properties) return objectOf(document, schema, depth);
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return schema.format === "date-time" ? "2030-01-01T18:00:00Z" : "…";
}

function objectOf(document, schema, depth) {
  if (depth >= depthLimit) return {};
  const names = schema.required?.length ? schema.required : Object.keys(schema.properties ?? {}).slice(0, 2);
  return Object.fromEntries(
    names.filter((name) => schema.properties?.[name]).map((
      name,
    ) => [name, exampleOf(document, schema.properties[name], depth + 1)]),
  );
}
