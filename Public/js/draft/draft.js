// A resource that is edited: what was typed, what the server has, and saving in between.

import m from "../m.js";
import { api, APIError } from "../api.js";
import { connection } from "../connection.js";
import { backoff } from "../events.js";
import { session } from "../session.js";
import { difference, same } from "../json/difference.js";
import { put } from "../json/paths.js";
import { draftStorage } from "./draft-storage.js";
import { changes, merge } from "./merge.js";
import { patch } from "./patch.js";
import { at, ofStep, Problems } from "./problems.js";

/** Milliseconds after the last change. */
const saveDelayMs = 800;

/**
 * A resource that is being edited. It can be drawn with `Loaded({resource: draft}, …)`.
 *
 * - `value`: the resource with what was typed; undefined until it is loaded. Never change it in place: `change({…})`.
 * - `status`: "saved" (at `savedAt`, in milliseconds), "unsaved", "saving", "kept" (the server can't be reached; it is
 *   kept in this browser and tried again), "conflict" (see `conflict`), "refused" (see `problems` and `message`).
 * - `other`: {at, by} of the change that a conflict or `taken` is about, or null while it is not known.
 * - `conflict`: null, or [{path, mine, theirs}] that another person changed as well: nothing is saved until `resolve`.
 * - `taken`: the paths that another person changed and that were taken over, until the next change.
 */
export class Draft {
  value;
  error = null;
  isLoading = true;
  loadedAt = null;
  status = "saved";
  savedAt = null;
  message = null;
  other = null;
  conflict = null;
  taken = [];
  #path;
  #members;
  #savesItself;
  #read;
  #base;
  #found = new Problems();
  #timer;
  #work = null;
  #failures = 0;
  #isEnded = false;
  #follow;

  /** `read(answer)` gives a resource of the server the form in which it is edited. */
  constructor(path, members, { savesItself = true, read = (answer) => answer } = {}) {
    this.#path = path;
    this.#members = members;
    this.#savesItself = savesItself;
    this.#read = read;
    this.#follow = () => {
      if (document.visibilityState === "hidden" && this.#savesItself) this.flush();
    };
    document.addEventListener("visibilitychange", this.#follow);
    this.reload();
  }

  /** For `Loaded`. */
  get data() {
    return this.value;
  }

  /** True if the resource may be changed: a draft (or one that failed at its start), by someone who may write. */
  get isEditable() {
    const { state, archived_at: archived } = this.value ?? {};
    return session.may("campaigns:write") && !archived &&
      (state === undefined || state === "draft" || state === "failed");
  }

  /** True if everything that was typed is on the server, so that it can be tested, scheduled, sent. */
  get isSaved() {
    return this.status === "saved";
  }

  get hasChanges() {
    return Boolean(this.#base) && Object.keys(changes(this.#base, this.value, this.#members)).length > 0;
  }

  /**
   * [{path, code, message, severity}]: what the server refused and warned of, and what `setProblems` added. Warnings of
   * a version hold no longer when there are changes that do not save themselves.
   */
  get problems() {
    return this.#found.all(this.#savesItself || !this.hasChanges ? this.value : null);
  }

  /** The problems of one field; with `deep` also those of everything inside. */
  problemsAt(path, deep = false) {
    return at(this.problems, path, deep);
  }

  /** The problems that are mended in a step: content, audience or schedule. */
  problemsOf(step) {
    return ofStep(this.problems, step);
  }

  /**
   * Problems that a step found itself, for example with a preview. They replace the earlier ones of the same `source`.
   */
  setProblems(source, problems) {
    // Parts of the page that show problems may have been drawn before.
    if (this.#found.setProblems(source, problems) && !this.#isEnded) requestAnimationFrame(() => m.redraw());
  }

  /** Changes top-level members, like `{name: "Moon Lovers"}`. */
  change(fields) {
    if (!this.#base) return;
    this.value = { ...this.value, ...fields };
    this.#found.forget(fields);
    this.taken = [];
    this.#draftStorage();
    if (this.conflict) return;
    this.status = this.hasChanges ? "unsaved" : "saved";
    // The refused value was taken back, and no request will follow whose answer could say so.
    if (!this.hasChanges) this.#found.refused = [];
    clearTimeout(this.#timer);
    if (this.#savesItself) this.#timer = setTimeout(() => this.flush(), saveDelayMs);
  }

  /** Saves now what is not saved. Resolves to true if everything is on the server afterwards. */
  async flush() {
    clearTimeout(this.#timer);
    while (this.#work) await this.#work;
    if (!this.#base || this.conflict || !this.hasChanges) return this.isSaved;
    this.#work = this.#save();
    await this.#work;
    this.#work = null;
    if (!this.#isEnded) m.redraw();
    return this.isSaved;
  }

  /** Decides a conflict: "mine" or "theirs", for one path or for all. */
  resolve(side, path = null) {
    for (const each of this.conflict.filter((one) => path === null || one.path === path)) {
      if (side === "theirs") this.value = put(this.value, each.path, each.theirs);
    }
    this.conflict = path === null ? null : this.conflict.filter((each) => each.path !== path);
    if (this.conflict?.length) return;
    this.conflict = null;
    this.change({});
    this.flush();
  }

  /** Takes an answer of the server to an action (unschedule, archive, …) as the newest state. */
  accept(newest) {
    const answer = this.#read(newest);
    this.#take(merge(this.#base, this.value, answer, this.#members), answer);
    m.redraw();
  }

  /** The changes that are not saved, as [{path, before, after}]. */
  get differences() {
    const fields = changes(this.#base ?? {}, this.value ?? {}, this.#members);
    return Object.keys(fields).flatMap((name) =>
      difference(this.#base[name] ?? undefined, this.value[name] ?? undefined, [name])
    );
  }

  /** Drops what is not saved, and what was found in it. Returns a function that brings it back. */
  discard() {
    const dropped = changes(this.#base, this.value, this.#members);
    clearTimeout(this.#timer);
    this.value = this.#base;
    Object.assign(this, { conflict: null, taken: [], status: "saved", message: null });
    this.#found.clear();
    draftStorage.remove(this.#path);
    return () => this.change(dropped);
  }

  async reload() {
    this.isLoading = true;
    try {
      const [answer, kept] = await Promise.all([
        api.get(this.#path).then(this.#read),
        this.#base ? null : draftStorage.read(this.#path),
      ]);
      if (this.#isEnded) return;
      const before = this.#base ? { base: this.#base, value: this.value } : kept ?? { base: answer, value: answer };
      this.#take(merge(before.base, before.value, answer, this.#members), answer);
      Object.assign(this, { error: null, loadedAt: Date.now() });
      this.savedAt ??= Date.parse(answer.updated_at);
    } catch (error) {
      this.error = error;
    }
    this.isLoading = false;
    m.redraw();
  }

  /** Call it when the page is left: the last changes are still saved. */
  end() {
    document.removeEventListener("visibilitychange", this.#follow);
    if (this.#savesItself) this.flush();
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Asks who changed it meanwhile, and when. Without an answer, the page says "another person". */
  async #askWho() {
    this.other = null;
    try {
      this.other = await api.get(`${this.#path}/last-change`);
      m.redraw();
    } catch {
      // The conflict is shown all the same.
    }
  }

  #take({ value, taken, conflicts }, answer) {
    this.#base = answer;
    this.value = value;
    this.taken = taken;
    this.conflict = conflicts.length ? conflicts : null;
    if (this.conflict || taken.length) this.#askWho();
    const changed = this.hasChanges;
    this.status = this.conflict ? "conflict" : changed ? "unsaved" : "saved";
    if (!changed) draftStorage.remove(this.#path);
    else if (!this.conflict && this.#savesItself && this.isEditable) {
      this.#timer = setTimeout(() => this.flush(), saveDelayMs);
    }
  }

  #draftStorage() {
    draftStorage.write(this.#path, { base: this.#base, value: this.value });
  }

  async #save() {
    const sent = this.value;
    this.status = "saving";
    m.redraw();
    try {
      const { answer, refused, message } = await patch(this.#path, {
        base: this.#base,
        value: sent,
        fields: changes(this.#base, sent, this.#members),
      });
      this.#failures = 0;
      this.message = message;
      this.#saved(sent, this.#read(answer), refused);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Values that were typed while the request was on its way stay. */
  #saved(sent, answer, refused) {
    const value = { ...answer };
    for (const name of this.#members) {
      const isRefused = refused.some(({ path = "" }) => path.split(".")[0] === name);
      if (isRefused || !same(sent[name], this.value[name])) value[name] = this.value[name];
    }
    this.#base = answer;
    this.value = value;
    this.#found.refused = refused;
    this.savedAt = Date.now();
    this.status = refused.length ? "refused" : this.hasChanges ? "unsaved" : "saved";
    if (this.hasChanges) this.#draftStorage();
    else draftStorage.remove(this.#path);
  }

  async #failed(error) {
    this.message = error.message;
    if (!(error instanceof APIError)) {
      this.status = "kept";
      this.#failures += 1;
      const wait = Math.max(connection.isOffline ? 3_000 : 0, backoff(this.#failures, error.retryAfter));
      if (!this.#isEnded) this.#timer = setTimeout(() => this.flush(), wait);
    } else if (error.status === 412) {
      await this.reload();
    } else {
      this.status = "refused";
      this.#found.refused = error.problems?.length
        ? error.problems
        : [{ path: error.field ?? "", code: error.code, message: error.message, severity: "error" }];
      // It may be sending by now: show what it is.
      if (error.status === 409) await this.reload();
    }
  }
}
