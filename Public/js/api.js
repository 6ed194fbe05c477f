// The HTTP API. What it refuses keeps its own words.

/** An answer that is a problem document (RFC 9457). `message` is meant for people. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `The server answered with ${status}.`);
    this.status = status;
    this.code = problem.code;
    /** [{path, code, message}] */
    this.problems = problem.problems ?? [];
  }
}

/** Nobody answered, or somebody who cannot at the moment: worth trying again, after `retryAfter` seconds if known. */
export class ServerAway extends Error {
  constructor(message = "The server cannot be reached.", retryAfter = 0) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Milliseconds until a request is given up. */
const answerLimit = 15_000;

export class API {
  #key;

  constructor(key) {
    this.#key = key;
  }

  apps() { return this.#json("GET", "/v1/apps?limit=200"); }

  campaigns(app, cursor) {
    return this.#json("GET", `${path(app)}/campaigns?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  }

  campaign(app, id) { return this.#json("GET", `${path(app)}/campaigns/${encodeURIComponent(id)}`); }

  create(app, campaign) { return this.#json("POST", `${path(app)}/campaigns`, campaign); }

  /** `move` is start, pause, resume or cancel. */
  move(app, id, move) { return this.#json("POST", `${path(app)}/campaigns/${encodeURIComponent(id)}/${move}`); }

  /** The newest run, or undefined. */
  async latestRun(app, campaign) {
    const { data } = await this.#json("GET", `${path(app)}/campaigns/${encodeURIComponent(campaign)}/runs?limit=1`);
    return data[0];
  }

  /** With its reasons. */
  run(app, id) { return this.#json("GET", `${path(app)}/runs/${id}`); }

  /** An answer whose body is a stream of events. */
  progress(app, run, signal) {
    return this.#send("GET", `${path(app)}/runs/${run}/progress`, { signal, accept: "text/event-stream" });
  }

  async #json(method, path, body) {
    const response = await this.#send(method, path, { body, signal: AbortSignal.timeout(answerLimit) });
    try {
      return await response.json();
    } catch {
      throw new ServerAway("The server's answer broke off.");
    }
  }

  async #send(method, path, { body, signal, accept = "application/json" }) {
    const headers = { Authorization: `Bearer ${this.#key}`, Accept: accept };
    if (body) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(path, { method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) });
    } catch {
      throw new ServerAway();
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    if ([429, 502, 503, 504].includes(response.status)) {
      throw new ServerAway(problem.detail, Number(response.headers.get("Retry-After")) || 0);
    }
    throw new Refusal(response.status, problem);
  }
}

function path(app) {
  return `/v1/apps/${encodeURIComponent(app)}`;
}
