// The server's messages in the reader's language. The server says them in English; text/zh-messages.js has them in
// Chinese.

import { language } from "./i18n.js";

/** Messages of the same kind often come many at a time, like the refused lines of a file. */
const cacheLimit = 2_000;
/** Values inside of values, like a sentence in a reason. */
const depthLimit = 4;
const suggestion = /^(.*); did you mean (.+)\?$/s;
const placeholder = /\{\w+\}/;
/** Values that are somebody's own text. */
const quoted = new Set(["text", "value", "code", "topic", "host", "tag"]);
/** Values that can be more than one sentence. */
const sentences = new Set(["sentences", "sentence", "message", "reason", "before", "next", "remedy", "error"]);
/** Members in which people keep what is theirs. */
const own = new Set([
  "payload",
  "content",
  "variants",
  "attributes",
  "audience",
  "schedule",
  "values",
  "definition",
  "plan",
  "settings",
  "before",
  "after",
]);

const chinese = /[\u3400-\u9fff]/, latin = /[A-Za-z0-9]/;

let book = null;

/**
 * Loads the messages of a language that is not English, once. Resolves to a function as `translator` returns it, or
 * null.
 */
export async function loadMessages() {
  if (language === "en") return null;
  book ??= import("./text/zh-messages.js").then(({ default: table, words }) => translator(table, words));
  return book;
}

/**
 * The server's answer with its messages translated in place. A message that is not known stays in English.
 * Returns the answer itself if it has none, and else a promise of it: English readers wait for nothing.
 */
export function translateMessages(answer) {
  if (language === "en") return answer;
  const found = [...messagesIn(answer)];
  if (!found.length) return answer;
  return loadMessages().then((translate) => {
    for (const [owner, member] of found) owner[member] = translate(owner[member]);
    for (const [owner, member] of found) {
      if (member === "detail" && owner.problems?.length) owner.detail = inSentences(owner.problems);
    }
    return answer;
  }, () => answer);
}

/** The server joins the problems of a body to its `detail`. */
function inSentences(problems) {
  return problems.map(({ path, message }) => `${path} ${message}`.trim() + (/[。？]$/.test(message) ? "" : "。")).join(
    "",
  );
}

/**
 * The places of messages in an answer: problems, why something was paused or failed, problem documents, and applied
 * rules.
 */
function* messagesIn(value) {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const each of value) yield* messagesIn(each);
    return;
  }
  const has = (member) => typeof value[member] === "string" && value[member] !== "";
  if (has("message") && has("code")) yield [value, "message"];
  if (has("detail") && has("code")) yield [value, "detail"];
  if (has("reason") && has("state")) yield [value, "reason"];
  if (has("explanation") && has("reason")) yield [value, "explanation"];
  if (has("text") && has("rule")) yield [value, "text"];
  for (const member of ["meaning", "remedy"]) if (has(member) && "outcome" in value) yield [value, member];
  for (const [member, part] of Object.entries(value)) if (!own.has(member)) yield* messagesIn(part);
}

/** A function that translates a message by the table, or returns it as it is. */
export function translator(table, words = {}) {
  const plain = new Map();
  const patterns = [];
  for (const [english, text] of Object.entries(table)) {
    if (placeholder.test(english)) {
      patterns.push({ english, text, isStopped: english.endsWith("."), begin: english.split(placeholder, 1)[0] });
    } else plain.set(english, text);
  }
  // The most specific sentence first, and last those that anything can begin.
  const fixed = ({ english }) => english.replace(new RegExp(placeholder, "g"), "").length;
  patterns.sort((a, b) => (b.begin !== "") - (a.begin !== "") || fixed(b) - fixed(a));
  const cache = new Map();

  function lookUp(message, depth) {
    const known = plain.get(message);
    if (known !== undefined) return known;
    const isStopped = message.endsWith(".");
    for (const pattern of patterns) {
      if (pattern.isStopped !== isStopped || !message.startsWith(pattern.begin)) continue;
      pattern.expression ??= expressionOf(pattern.english);
      const values = pattern.expression.exec(message)?.groups;
      if (values) return filled(pattern.text, (name) => valueOf(name, values[name], depth));
    }
    return null;
  }

  function valueOf(name, value, depth) {
    if (words[name]) {
      const list = value.split(", ").map((each) => words[name][each]);
      if (list.every(Boolean)) return list.join("、");
    }
    // Numbers, names, and what people wrote.
    if (quoted.has(name) || !value.includes(" ")) return value;
    if (depth >= depthLimit) return value;
    if (value.startsWith("; ")) return `；${valueOf(name, value.slice(2), depth)}`;
    // The full stop of a last sentence may be the whole message's.
    return sentence(value, depth + 1) ?? sentence(`${value}.`, depth + 1)?.slice(0, -1) ?? prose(value, depth + 1) ??
      alternatives(value);
  }

  /** One sentence, with or without the full stop that the server puts behind it, or null. */
  function sentence(message, depth = 0) {
    const whole = lookUp(message, depth);
    if (whole !== null) return whole;
    if (message.endsWith(".")) {
      const known = lookUp(message.slice(0, -1), depth);
      if (known !== null) return known + (/[。？]$/.test(known) ? "" : "。");
    }
    const [, first, name] = suggestion.exec(message) ?? [];
    const known = first && (lookUp(first, depth) ?? (depth ? first : null));
    return known ? `${known}；你是想写 ${name} 吗？` : null;
  }

  /** Sentences one after the other, some of which begin with the path of a member, or null if none is known. */
  function prose(message, depth = 0) {
    const parts = message.trim().split(/(?<=[.?]) (?=\S)/);
    let isKnown = false;
    const said = parts.map((part) => {
      const [, path, rest] = /^([\w"[\].-]+):? (.+)$/s.exec(part) ?? [];
      const known = sentence(part, depth);
      const behind = known === null && rest ? sentence(rest, depth) : null;
      isKnown ||= known !== null || behind !== null;
      return known ?? (behind !== null ? `${path} ${behind}` : `${part} `);
    });
    return isKnown ? said.join("").trim() : null;
  }

  return (message) => {
    if (cache.has(message)) return cache.get(message);
    const text = sentence(message) ?? prose(message) ?? message;
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(message, text);
    return text;
  };
}

/** The text with its values, and with a space between Chinese and Latin letters only. */
function filled(text, valueOf) {
  const parts = text.split(/\{(\w+)\}/);
  return parts.reduce((said, part, index) => {
    const next = index % 2 ? valueOf(part) : part;
    const last = said.at(-1) ?? "", first = next[0] ?? "";
    if ((chinese.test(last) && latin.test(first)) || (latin.test(last) && chinese.test(first))) {
      return `${said} ${next}`;
    }
    if (last === " " && chinese.test(said.at(-2)) && chinese.test(first)) return said.slice(0, -1) + next;
    if (first === " " && chinese.test(last) && chinese.test(next[1])) return said + next.slice(1);
    return said + next;
  });
}

function expressionOf(english) {
  const seen = new Set();
  const parts = english.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (seen.has(part)) return `\\k<${part}>`;
    seen.add(part);
    return `(?<${part}>${sentences.has(part) ? "." : "(?:(?!\\. ).)"}*?)`;
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

/** "a, b or c" and "a, b", if these are single words. */
function alternatives(value) {
  return /^[^\s,]+(, [^\s,]+)*( or [^\s,]+)?$/.test(value)
    ? value.replaceAll(", ", "、").replace(" or ", " 或 ")
    : value;
}
