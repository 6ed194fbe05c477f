// The codes of problems that programs meet most, by status. Docs/api.md has all.

export const codes = {
  400: ["invalid-json", "unknown-parameter", "invalid-cursor"],
  401: ["missing-key", "invalid-key", "session-ended"],
  403: ["scope-missing", "permission-missing", "address-not-allowed"],
  409: ["transition-not-allowed", "idempotency-key-in-use"],
  412: ["version-conflict"],
  413: ["body-too-large"],
  415: ["unsupported-media-type"],
  422: ["invalid-body"],
  428: ["if-match-required"],
  429: ["rate-limited"],
  503: ["database-unavailable", "overloaded"],
};
