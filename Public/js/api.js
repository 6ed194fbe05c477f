// A client of the HTTP API.

import { t } from "./i18n.js";
import { translateMessages } from "./messages.js";

/** The timeout of a request in milliseconds. */
const requestTimeoutMs = 15_000;
const mostAtOnce = 4;

/** An error response (problem document, RFC 9457). `message` can be shown to the reader, in their language. */
export class APIError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? t("error.status", { status: String(status) }));
    this.status = status;
    this.code = problem.code;
    this.field = problem.field;
    /** [{path, code, message, severity}] */
    this.problems = problem.problems ?? [];
    /** Seconds until it may be tried again; 0 if the server names none. */
    this.retryAfter = problem.retryAfter ?? 0;
  }
}

/**
 * The server can't be reached, or is overloaded: the request can be repeated, after `retryAfter` seconds if it is not
 * 0.
 */
export class ServerUnavailable extends Error {
  constructor(message = t("error.unreachable"), retryAfter = 0) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * Called by the client: `ended` when nobody is signed in any more, `reachable(true)` or `(false)` after each request.
 */
export const listeners = { ended() {}, reachable() {} };

/** Counts sessions in this page: an answer to a request of an earlier one says nothing about the present one. */
export let sessionGeneration = 0;
export function beginSession() {
  sessionGeneration += 1;
}

/** The parts of a query that have a value, as text that begins with "?", or "". */
export function query(values = {}) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

/**
 * Sends a request and returns the response. Options: `body` (JSON) or `file` with `type`, `ifMatch` (a version),
 * `idempotencyKey`, `accept`, `signal`, `timeoutMs` (0: none).
 */
export async function send(
  method,
  path,
  { body, file, type, ifMatch, idempotencyKey, accept = "application/json", signal, timeoutMs = requestTimeoutMs } = {},
) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (file) headers["Content-Type"] = type || "application/octet-stream";
  if (ifMatch !== undefined) headers["If-Match"] = ifMatch === "*" ? "*" : `"${ifMatch}"`;
  if (idempotencyKey) headers["Idempotency-Key"] = idempotencyKey;
  const signals = [signal, timeoutMs ? AbortSignal.timeout(timeoutMs) : null].filter(Boolean);
  const own = sessionGeneration;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      cache: "no-store",
      body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: signals.length ? AbortSignal.any(signals) : undefined,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    listeners.reachable(false);
    throw new ServerUnavailable();
  }
  listeners.reachable(true);
  if (response.ok) return response;
  const problem = await translateMessages(await response.json().catch(() => ({})));
  throw failure(path, own, response.status, problem, response.headers.get("Retry-After"));
}

/**
 * The error of an answer that is no success; tells when the session has ended. `began` is the
 * session generation of the request.
 */
export function failure(path, began, status, problem, wait) {
  if (status === 401 && began === sessionGeneration && path !== "/v1/session" && path !== "/v1/password") {
    listeners.ended(problem.detail);
  }
  const retryAfter = Number(wait) || 0;
  const isAway = [429, 502, 503, 504].includes(status) && problem.code !== "too-many-attempts";
  return isAway ? new ServerUnavailable(problem.detail, retryAfter) : new APIError(status, { ...problem, retryAfter });
}

async function json(method, path, options) {
  const response = await send(method, path, options);
  if (response.status === 204) return null;
  try {
    return await translateMessages(await response.json());
  } catch {
    throw new ServerUnavailable(t("error.cut"));
  }
}

export const api = {
  get: (path, values, options) => json("GET", path + query(values), options),
  post: (path, body, options) => json("POST", path, { body, ...options }),
  put: (path, body, options) => json("PUT", path, { body, ...options }),
  patch: (path, body, options) => json("PATCH", path, { body, ...options }),
  delete: (path, options) => json("DELETE", path, options),
};

/** A key for requests that may be repeated without doing the thing twice. */
export function newIdempotencyKey() {
  return crypto.randomUUID();
}

/** Calls `work(each)` for all of them, a few at a time: the server refuses many parallel requests. */
export async function forEachConcurrently(entries, work) {
  const left = [...entries];
  async function takeNext() {
    while (left.length) await work(left.shift());
  }
  await Promise.all(Array.from({ length: mostAtOnce }, takeNext));
}

/** All pages of a list, for lists that are short by nature. */
export async function all(path, values = {}) {
  const entries = [];
  let cursor;
  do {
    const page = await api.get(path, { ...values, limit: 200, cursor });
    entries.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor && entries.length < 5_000);
  return entries;
}
