// A record of the log in words: the actor and the action.

import m from "../m.js";
import { has, rich, t } from "../i18n.js";
import { page, session } from "../session.js";
import { elsewhere, inApp } from "./actions.js";
import { pageOf } from "./resource.js";

const key = (text) => text.replaceAll(/[.-]/g, "_");

const kinds = new Set([...Object.keys(inApp), ...Object.keys(elsewhere), "acknowledgements"]);

/** The word for one of a kind, or for several; null for a kind of a newer server. */
export function kindWord(kind, count) {
  return kinds.has(kind) ? t(`audit.kind.${key(kind)}`, { count }) : null;
}

/** An action without its object: "created", for the filters. */
export function verbWord(action) {
  const own = `audit.own.${key(action)}`;
  const verb = action.slice(action.indexOf(".") + 1);
  return has(own) ? t(own) : has(`audit.verb.${key(verb)}`) ? t(`audit.verb.${key(verb)}`) : verb;
}

/** "Started campaign “Lucky Draw”", with a link to it. `subject` is what the record is about, see `names.js`. */
export function actionWords(record, subject) {
  const [kind] = record.action.split(".");
  const verb = record.action.slice(kind.length + 1);
  const own = `audit.own.${key(record.action)}`;
  const thing = thingOf(subject, record.app_id ?? session.app);
  if (has(own)) {
    return has(`audit.of.${key(record.action)}`) && subject.id
      ? rich(`audit.of.${key(record.action)}`, { thing })
      : t(own);
  }
  if (has(`audit.did.${key(verb)}`) && kindWord(kind, 1)) return rich(`audit.did.${key(verb)}`, { thing });
  return m("code", record.action);
}

/** The thing that an action was about. */
function thingOf(subject, app) {
  const { kind, id, name } = subject;
  const word = kindWord(kind, id ? 1 : 2) ?? kind;
  const known = name ?? (kind === "apps" ? session.apps.find((each) => each.id === id)?.name : null);
  const said = known
    ? t("audit.named", { kind: word, name: known })
    : id
    ? t("audit.numbered", { kind: word, id })
    : word;
  const end = pageOf(subject);
  // A thing that belongs to another app, or that was deleted, has no page to go to.
  return end && session.apps.some((each) => each.id === app) ? m("a", { href: page(end, app) }, said) : m("span", said);
}

export const actorIcon = {
  user: "person",
  key: "key",
  console: "terminal",
  schedule: "clock",
  nobody: "question-circle",
};

/** The name of the actor: an e-mail address, the name of a key, or a word for Belfry itself. */
export function actorWords({ kind, name }) {
  return kind === "schedule" || kind === "nobody" ? t(`audit.actor.${kind}`) : name;
}
