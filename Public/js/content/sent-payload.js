// A payload as Belfry sends it, for the count of its bytes. The server's word on a template replaces it when it comes.

import { isObject } from "../json/paths.js";
import { render } from "./liquid.js";

/** The characters of the ID that Belfry gives to each push. */
const idLength = 36;

/**
 * `app` has the names of the keys that Belfry adds. `file` is the content's media, {url, kind}, or undefined: the kind
 * of a file elsewhere is not known.
 */
export function sentPayload(payload, app, file) {
  const { aps, ...own } = payload ?? {};
  const { message_id_key: id, attachment_url_key: url, attachment_type_key: type } = app;
  return {
    ...(aps !== undefined && { aps }),
    ...own,
    ...(file &&
      { aps: { ...aps, "mutable-content": 1 }, [url]: file.url, ...(type && file.kind && { [type]: file.kind }) }),
    [id]: "0".repeat(idLength),
  };
}

/** A template's payload with the values of a person in all of its texts. */
export function filledPayload(value, values, language) {
  if (typeof value === "string") return render(value, values, language);
  if (Array.isArray(value)) return value.map((each) => filledPayload(each, values, language));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, filledPayload(each, values, language)]),
  );
}
