// The mapping of a file's columns to Belfry's: a list with an entry a column, {becomes, name, type, isGuess}.

import { quoted } from "./records.js";

/** The values of `becomes` beside names of Belfry's columns. */
export const leaveOut = "";
export const deviceAttribute = "attr.";
export const personAttribute = "person.attr.";

export const attributeTypes = ["text", "number", "boolean", "json"];

/** Belfry's columns, in groups. */
export const fieldGroups = {
  device: [
    "token",
    "environment",
    "installation",
    "kind",
    "activity",
    "authorization_status",
    "locale",
    "time_zone",
    "os_version",
    "app_version",
    "model",
    "is_test",
    "nickname",
  ],
  person: ["user_id", "person"],
  lists: ["tags", "opt_outs", "attributes", "settings"],
  rules: ["as_of", "last_seen_at", "updated_at", "platform", "subscribed", "unsubscribed", "utc_offset"],
};

const attributePattern = /^(attr\.|person\.attr\.)(.*?)(?::(text|number|boolean|json))?$/;

function entryOf(header) {
  const match = attributePattern.exec(header ?? "");
  if (!match) return { becomes: header ?? leaveOut, name: "", type: "text" };
  return { becomes: match[1], name: match[2], type: match[3] ?? "text" };
}

/** The mapping that the server proposes: what it knows, and what an unknown name probably means. */
export function initialMapping(columns) {
  const taken = new Set(columns.map(({ becomes }) => becomes).filter(Boolean));
  return columns.map(({ name, becomes, suggestion }) => {
    const isGuess = !becomes && Boolean(suggestion) && !taken.has(suggestion);
    if (isGuess) taken.add(suggestion);
    const entry = entryOf(isGuess ? suggestion : becomes);
    return { ...entry, name: entry.name || attributeName(name), isGuess };
  });
}

/** A name for an attribute, from that of a column. */
export function attributeName(column) {
  return column.trim().toLowerCase().replace(/[\s.:-]+/g, "_");
}

/** The name that the server knows the column by. */
export function headerOf({ becomes, name, type }) {
  if (becomes !== deviceAttribute && becomes !== personAttribute) return becomes;
  return becomes + name + (type === "text" ? "" : `:${type}`);
}

/**
 * The parameter that says what the columns are: a header line, or of JSON pairs of members and columns. Undefined if
 * the file's own names mean the same.
 */
export function columnsParameter(columns, mapping, kind) {
  const wanted = mapping.map(headerOf);
  const isSame = columns.every(({ recognition, becomes }, index) =>
    recognition !== "unknown" && (becomes ?? "") === wanted[index]
  );
  if (isSame) return undefined;
  return wanted.map((header, index) => quoted(kind === "csv" ? header : `${columns[index].name}=${header}`)).join(",");
}

/** How many lines of a preview have a problem with this column. */
export function problemCount({ failures }, entry) {
  const path = headerOf(entry).replace(/:\w+$/, "");
  if (!path) return 0;
  return failures.filter(({ problems }) => problems.some((problem) => problem.path === path)).length;
}
