// A client of the HTTP API.

/** An error response (problem document, RFC 9457). `message` can be shown to the user. */
export class APIError extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = problem.code;
    /** [{path, code, message}] */
    this.problems = problem.problems ?? [];
  }
}

/** The server is not available. Requests can be retried, after `retryAfter` seconds if it is not 0. */
export class ServerUnavailable extends Error {
  constructor(message = "Can't reach the server.", retryAfter = 0) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The timeout of a request in milliseconds. */
const answerLimit = 15_000;

export class API {
  /** Who is signed in, and what this person may do. */
  session() { return this.#json("GET", "/v1/session"); }

  /** Signs in with {email, password} or {link}. */
  signIn(values) { return this.#json("POST", "/v1/session", values); }

  setUp(values) { return this.#json("POST", "/v1/set-up", values); }

  choosePassword(values) { return this.#json("POST", "/v1/password", values); }

  async signOut() { await this.#send("DELETE", "/v1/session", { signal: AbortSignal.timeout(answerLimit) }); }

  apps() { return this.#json("GET", "/v1/apps?limit=200"); }

  campaigns(app, cursor) {
    return this.#json("GET", `${path(app)}/campaigns?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  }

  campaign(app, id) { return this.#json("GET", `${path(app)}/campaigns/${encodeURIComponent(id)}`); }

  create(app, campaign) { return this.#json("POST", `${path(app)}/campaigns`, campaign); }

  /** `move` is "start", "pause", "resume" or "cancel". Returns the campaign. */
  async move(app, id, move) {
    const answer = await this.#json("POST", `${path(app)}/campaigns/${encodeURIComponent(id)}/${move}`);
    // Starting returns the run.
    return move === "start" ? this.campaign(app, id) : answer;
  }

  /** Returns the newest run, or undefined. */
  async latestRun(app, campaign) {
    const { data } = await this.#json("GET", `${path(app)}/campaigns/${encodeURIComponent(campaign)}/runs?limit=1`);
    return data[0];
  }

  /** Returns a run with its reasons. */
  run(app, id) { return this.#json("GET", `${path(app)}/runs/${id}`); }

  /** Returns a response whose body is a stream of events. */
  progress(app, run, signal) {
    return this.#send("GET", `${path(app)}/runs/${run}/progress`, { signal, accept: "text/event-stream" });
  }

  async #json(method, path, body) {
    const response = await this.#send(method, path, { body, signal: AbortSignal.timeout(answerLimit) });
    try {
      return await response.json();
    } catch {
      throw new ServerUnavailable("The connection was closed before the response was complete.");
    }
  }

  async #send(method, path, { body, signal, accept = "application/json" }) {
    const headers = { Accept: accept };
    if (body) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(path, { method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) });
    } catch {
      throw new ServerUnavailable();
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    if ([429, 502, 503, 504].includes(response.status)) {
      throw new ServerUnavailable(problem.detail, Number(response.headers.get("Retry-After")) || 0);
    }
    throw new APIError(response.status, problem);
  }
}

function path(app) {
  return `/v1/apps/${encodeURIComponent(app)}`;
}
