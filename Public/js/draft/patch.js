// The requests that save changed members of a resource.

import { api } from "../api.js";
import { memberOf } from "./steps.js";
import { asRequest, contentOf, contentRequest } from "./variants.js";

/**
 * Saves `fields` over the version that `base` has. Members that the server refuses are left out, so that one that is
 * wrong does not keep the others from being saved. Resolves to {answer, refused, message}: the resource, the problems
 * of the members that were left out, and why. Rejects when nothing was saved.
 */
export async function patch(path, { base, value, fields }) {
  const send = (members) => api.patch(path, members, { ifMatch: base.version });
  const body = bodyOf(fields, value);
  try {
    return { answer: await send(body), refused: [], message: null };
  } catch (error) {
    const wrong = new Set((error.problems ?? []).map(({ path: at = "" }) => memberOf(at)));
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)));
    const count = Object.keys(rest).length;
    if (error.status !== 422 || !wrong.size || !count || count === Object.keys(body).length) throw error;
    return { answer: await send(rest), refused: error.problems, message: error.message };
  }
}

/** A campaign has variants or one content; the server clears what it had before. */
function bodyOf(members, value) {
  const isOfContent = (name) => "variants" in value && name in contentOf({});
  const body = Object.fromEntries(Object.entries(members).filter(([name]) => !isOfContent(name)));
  if (body.variants) body.variants = asRequest(body.variants);
  const changesContent = Object.keys(members).some(isOfContent);
  return { ...body, ...(changesContent && !value.variants && contentRequest(value)) };
}
