// One record while it is edited: the draft, which survives a reload, saving with If-Match, and conflicts.

import m from "../m.js";
import { t } from "../i18n.js";
import { list } from "../phrases.js";
import { toast } from "../ui/toast.js";
import { clone, merge, same } from "./merge.js";
import { noProblems, problemsOf } from "./problems.js";

function readKept(item) {
  try {
    return JSON.parse(localStorage.getItem(item));
  } catch {
    return null;
  }
}

/**
 * `item` names the draft in this browser, `fields` are edited, `record` is what the server has (without a version it is
 * new), `write(changes, version)` returns the stored record, `read()` the server's present one. `label(field)` names a
 * field in a conflict. `defaults` fill fields that a record lacks.
 */
export function edit({ item, fields, record, write, read, label = (field) => field, defaults = {} }) {
  const pick = (source) => Object.fromEntries(fields.map((field) => [field, clone(source[field] ?? defaults[field])]));
  let { version } = record;
  let base = pick(record);
  const editor = {
    draft: clone(base),
    problems: noProblems,
    conflict: null,
    isRestored: false,
    get isNew() {
      return version === undefined;
    },
    get isDirty() {
      return !same(editor.draft, base);
    },
    set(field, value) {
      editor.draft[field] = value;
      editor.keep();
    },
    /** Call it after a change inside of a field. */
    keep() {
      editor.isRestored = false;
      try {
        if (editor.isDirty) localStorage.setItem(item, JSON.stringify({ base, draft: editor.draft }));
        else localStorage.removeItem(item);
      } catch {
        // Without room in the browser the draft lives as long as the page.
      }
    },
    /** The names of the fields that were changed. */
    get changedParts() {
      return fields.filter((field) => !same(editor.draft[field], base[field])).map(label);
    },
    /** Returns a function that brings the changes back. */
    discard() {
      const dropped = editor.draft;
      editor.draft = clone(base);
      Object.assign(editor, { problems: noProblems, conflict: null });
      editor.keep();
      return () => {
        editor.draft = dropped;
        editor.keep();
      };
    },
    /** Returns the stored record, or null: then the reason is in `problems` or `conflict`. */
    async save(again = true) {
      Object.assign(editor, { problems: noProblems, conflict: null });
      const changes = Object.fromEntries(
        fields.filter((field) => editor.isNew || !same(editor.draft[field], base[field]))
          .map((field) => [field, clone(editor.draft[field])]),
      );
      try {
        const stored = await write(changes, version);
        version = stored.version;
        base = pick(stored);
        editor.draft = clone(base);
        localStorage.removeItem(item);
        return stored;
      } catch (error) {
        if (error.status === 412 && again) return await meet();
        editor.problems = problemsOf(error);
        return null;
      } finally {
        m.redraw();
      }
    },
    /** Settles the fields that both changed: "mine" or "theirs", and saves. */
    choose(side) {
      if (side === "theirs") { for (const field of editor.conflict.fields) editor.draft[field] = clone(base[field]); }
      editor.conflict = null;
      editor.keep();
      return editor.save();
    },
  };

  /** Somebody saved since: fields that one side changed are merged; of the others the reader decides. */
  async function meet() {
    const theirs = await read().catch((error) => {
      editor.problems = problemsOf(error);
      return null;
    });
    if (!theirs) return null;
    const { merged, conflicts, taken } = merge(base, editor.draft, pick(theirs));
    base = pick(theirs);
    version = theirs.version;
    editor.draft = merged;
    editor.keep();
    if (taken.length) toast(t("setup.merged", { fields: list(taken.map(label)) }));
    if (!conflicts.length) return editor.save(false);
    editor.conflict = { fields: conflicts, at: theirs.updated_at };
    return null;
  }

  const kept = readKept(item);
  if (kept?.draft && kept.base && fields.every((field) => field in kept.draft)) {
    editor.draft = merge(kept.base, kept.draft, base).merged;
    editor.isRestored = editor.isDirty;
  }
  return editor;
}
