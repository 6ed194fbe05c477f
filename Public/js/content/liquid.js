// A simple Liquid for the preview while someone types; the server's rendering corrects it. No DOM, no network.

/** The names that every device has without an attribute. */
export const builtIn = ["user_id", "locale", "language", "time_zone", "os_version", "app_version", "model"];

/** Returns true if a text contains Liquid. */
export function isLiquid(text) {
  return /\{\{|\{%/.test(text ?? "");
}

const letters = "\\p{L}\\p{M}\\p{Nd}_\\-";
// Between quotes anything may stand; elsewhere what only looks like a sign of Liquid is an error for the server.
const quoted = /"[^"]*"|'[^']*'/g;
const foreign = new RegExp(`[^\\p{ASCII}\\s${letters}\\u200c\\u200d]|[\\ufeff\\uff01-\\uff5e]`, "u");
const word = new RegExp(`^[\\p{L}_][${letters}\\u200c\\u200d]*$`, "u");

/** Returns true if Liquid knows all characters of a tag or placeholder. */
function isReadable(tag) {
  return !foreign.test(tag.replace(quoted, ""));
}

/** An attribute's name as a placeholder writes it: `first_name`, `attributes["first name"]`. */
export function written(name) {
  return name.split(".").every((each) => word.test(each) && !foreign.test(each)) ? name : `attributes["${name}"]`;
}

/** Renders `text` with `values`; a value that is missing becomes ⟨name⟩. Text that it can't read stays as it is. */
export function render(text, values, language = "en") {
  if (!isLiquid(text)) return text ?? "";
  const out = [];
  // The state of each open if: whether its branch shows, and whether one was taken.
  const stack = [];
  const shows = () => stack.every((each) => each.shows);
  for (
    const token of text.replace(/\s*(\{[{%])-/g, "$1").replace(/-([%}]\})\s*/g, "$1").split(/(\{\{.*?\}\}|\{%.*?%\})/s)
  ) {
    if (/^\{[{%]/.test(token) && !isReadable(token)) {
      if (shows()) out.push(token);
      continue;
    }
    const tag = /^\{%\s*(\w+)\s*(.*?)\s*%\}$/s.exec(token);
    if (tag) control(tag[1], tag[2], stack, values);
    else if (shows()) out.push(/^\{\{.*\}\}$/s.test(token) ? output(token.slice(2, -2), values, language) : token);
  }
  return out.join("");
}

function control(name, condition, stack, values) {
  const top = stack[stack.length - 1];
  if (name === "if") {
    const shows = test(condition, values);
    stack.push({ shows, taken: shows });
  } else if (name === "comment") stack.push({ shows: false, taken: true });
  else if (name === "elsif" && top) {
    top.shows = !top.taken && test(condition, values);
    top.taken ||= top.shows;
  } else if (name === "else" && top) {
    top.shows = !top.taken;
    top.taken = true;
  } else if (/^end(if|comment)$/.test(name)) stack.pop();
}

function test(condition, values) {
  return condition.split(/\s+or\s+/).some((any) =>
    any.split(/\s+and\s+/).every((each) => {
      const [, left, operator, right] = /^(.+?)\s*(==|!=|<=|>=|<|>|contains)\s*(.+)$/.exec(each) ?? [null, each];
      const a = read(left.trim(), values);
      if (!operator) return a !== undefined && a !== null && a !== false;
      const b = read(right.trim(), values);
      switch (operator) {
        case "==":
          return a === b;
        case "!=":
          return a !== b;
        case "<":
          return a < b;
        case "<=":
          return a <= b;
        case ">":
          return a > b;
        case ">=":
          return a >= b;
        default:
          return Array.isArray(a) ? a.includes(b) : String(a ?? "").includes(String(b));
      }
    })
  );
}

function read(expression, values) {
  const literal = /^(["'])(.*)\1$/s.exec(expression);
  if (literal) return literal[2];
  if (/^-?\d+(\.\d+)?$/.test(expression)) return Number(expression);
  if (expression === "true" || expression === "false") return expression === "true";
  const names = [...expression.matchAll(/\[\s*(["'])(.*?)\1\s*\]|[^.[\]\s]+/g)].map(([name, , inside]) =>
    inside ?? name
  );
  return (names[0] === "attributes" && names.length > 1 ? names.slice(1) : names).reduce(
    (part, name) => part?.[name],
    values,
  );
}

function output(inner, values, language) {
  const [path, ...filters] = inner.split("|").map((each) => each.trim());
  let value = read(path, values);
  for (const filter of filters) {
    const [, name, given = ""] = /^(\w+)\s*:?\s*(.*)$/s.exec(filter) ?? [];
    const [first] = given.match(/(["']).*?\1|[^,\s]+/s) ?? [];
    const argument = first === undefined ? undefined : read(first, values);
    if (name === "default" && (value === undefined || value === null || value === "")) value = argument;
    if (value === undefined || value === null) continue;
    if (name === "upcase") value = String(value).toUpperCase();
    if (name === "downcase") value = String(value).toLowerCase();
    if (name === "capitalize") value = String(value).charAt(0).toUpperCase() + String(value).slice(1);
    if (name === "truncate") value = [...String(value)].slice(0, Number(argument) || 50).join("");
    if (name === "number") {
      value = new Intl.NumberFormat(language, {
        minimumFractionDigits: Number(argument) || 0,
        maximumFractionDigits: Number(argument) || 0,
      }).format(value);
    }
    if (name === "date") value = new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(value));
  }
  return value === undefined || value === null ? `⟨${path}⟩` : String(value);
}

const unfinished = new RegExp(`\\{\\{-?\\s*([.${letters}]*)$`, "u");

/** The unfinished name before the caret, when it is inside of {{ … }}: {start, typed}, or null. */
export function nameAt(text, caret) {
  const before = text.slice(0, caret);
  const match = unfinished.exec(before);
  return match ? { start: caret - match[1].length, typed: match[1] } : null;
}
