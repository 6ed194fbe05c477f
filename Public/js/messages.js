// The server's messages in the reader's language. Beside each message in English, an answer has its key and arguments,
// as `message_localization` beside `message`; text/zh-messages.js has the sentences by their keys.

import { language } from "./i18n.js";

const suffix = "_localization";
/** Members in which people keep what is theirs. */
const own = new Set(
  "payload content variants attributes audience schedule values definition plan settings before after".split(" "),
);
/** An argument, with a name in the table and without one in a key. A brace of the sentence itself is doubled. */
const argumentOrBrace = /(\{\{|\}\}|\{\w*\})/;
/** What keys of lists have between their arguments. */
const separators = new Map([["", ""], [" ", " "], [", ", "、"], ["; ", "；"], [" or ", " 或 "]]);
const chinese = /[\u3400-\u9fff]/, latin = /[A-Za-z0-9]/, mark = /[。？！；，、：]/;

let book = null;

/** The server's answer with its messages in the reader's language, or a promise of it. Unknown ones stay in English. */
export function translateMessages(answer) {
  const found = language === "en" ? [] : [...messagesIn(answer)];
  if (!found.length) return answer;
  book ??= import("./text/zh-messages.js").then(({ default: table, words }) => translator(table, words));
  return book.then((translate) => {
    for (const [owner, member] of found) owner[member] = translate(owner[member + suffix]) ?? owner[member];
    return answer;
  }, () => answer);
}

function* messagesIn(value) {
  for (const [member, part] of Object.entries(value ?? {})) {
    if (typeof part !== "object" || own.has(member)) continue;
    if (member.endsWith(suffix) && part?.key) yield [value, member.slice(0, -suffix.length)];
    else yield* messagesIn(part);
  }
}

/** A function that says a message by the table, or returns null. `words` are arguments by their names in the table. */
export function translator(table, words = {}) {
  const sentences = new Map();
  for (const [english, text] of Object.entries(table)) {
    const { key, names } = parsed(english);
    sentences.set(key, { names, text: parsed(text) });
  }

  function say({ key, arguments: values }, name) {
    const known = sentences.get(key);
    if (known) return filled(known.text, (each) => inside(values[known.names.indexOf(each)], each));
    const pieces = parsed(key).pieces.map((piece) => separators.get(piece));
    if (pieces.includes(undefined)) return null;
    return filled({ pieces, names: [...values.keys()] }, (index) => inside(values[index], name));
  }

  function inside(value, name) {
    if (typeof value !== "string") return say(value, name) ?? inEnglish(value);
    return Object.hasOwn(words[name] ?? {}, value) ? words[name][value] : value;
  }

  return say;
}

/** The key of a sentence, the pieces of text around its arguments, and the names of these. */
function parsed(sentence) {
  const pieces = [""], names = [];
  const key = sentence.split(argumentOrBrace).map((part, index) => {
    if (index % 2 === 0 || part === "{{" || part === "}}") {
      pieces[pieces.length - 1] += index % 2 ? part[0] : part;
      return part;
    }
    names.push(part.slice(1, -1));
    pieces.push("");
    return "{}";
  }).join("");
  return { key, pieces, names };
}

function inEnglish(value) {
  if (typeof value === "string") return value;
  return parsed(value.key).pieces.map((piece, index) => piece + inEnglish(value.arguments[index] ?? "")).join("");
}

/** The pieces with their arguments, with spaces where Chinese and Latin letters meet, and one full stop at the end. */
function filled({ pieces, names }, valueOf) {
  const parts = pieces.flatMap((piece, index) => index < names.length ? [piece, valueOf(names[index])] : [piece]);
  return parts.filter(Boolean).reduce((said, next) => {
    const last = said.trimEnd().at(-1) ?? "", first = next.trimStart()[0] ?? "";
    const hasSpace = said.endsWith(" ") || next.startsWith(" ");
    const isMixed = (chinese.test(last) && latin.test(first)) || (latin.test(last) && chinese.test(first));
    if (isMixed && !hasSpace) return `${said} ${next}`;
    if (mark.test(last) || mark.test(first) || (chinese.test(last) && chinese.test(first))) {
      return said.trimEnd() + (/[。？]/.test(last) && first === "。" ? next.slice(1) : next.trimStart());
    }
    return said + next;
  }, "");
}
