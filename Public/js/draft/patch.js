// The requests that save changed members of a resource.

import { api } from "../api.js";
import { memberOf } from "./steps.js";
import { asRequest } from "./variants.js";

/**
 * Saves `fields` over the version that `base` has. Members that the server refuses are left out, so that one that is
 * wrong does not keep the others from being saved. Resolves to {answer, refused, message}: the resource, the problems
 * of the members that were left out, and why. Rejects when nothing was saved.
 */
export async function patch(path, { base, value, fields }) {
  const send = (members) => api.patch(path, bodyOf(members, value), { ifMatch: base.version });
  try {
    return { answer: await send(fields), refused: [], message: null };
  } catch (error) {
    const wrong = new Set((error.problems ?? []).map(({ path: at = "" }) => memberOf(at)));
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.has(name)));
    const count = Object.keys(rest).length;
    if (error.status !== 422 || !wrong.size || !count || count === Object.keys(fields).length) throw error;
    return { answer: await send(rest), refused: error.problems, message: error.message };
  }
}

/** A campaign has a payload, a template or variants; the server clears the others. */
function bodyOf(members, { template }) {
  const body = { ...members };
  if (body.variants) {
    body.variants = asRequest(body.variants);
    ["payload", "template", "template_version"].forEach((name) => delete body[name]);
  }
  if (body.template) delete body.payload;
  if (body.payload) ["template", "template_version"].forEach((name) => delete body[name]);
  if (body.template_version && !body.template) body.template = template;
  for (const name of ["payload", "template", "template_version"]) if (body[name] === null) delete body[name];
  return body;
}
