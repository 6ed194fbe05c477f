// The recipients of a follow-up: the people behind the numbers of a run, as a condition of an audience. Does not use
// the DOM or the network.

/** In the order of the dialog. `pressed` and `replied` name events of the API. */
export const choices = ["notEngaged", "engaged", "opened", "pressed", "replied"];
const events = { engaged: "engaged", opened: "opened", pressed: "action", replied: "text" };

/** The final outcomes of a ledger, which an audience can name. */
const outcomes = ["accepted", "rejected", "suppressed", "expired", "cancelled", "unknown"];

/** The condition of a choice. `run` is {id, campaign_id}. */
export function conditionOf(choice, run) {
  const sent = { campaign: run.campaign_id, run: run.id };
  return choice === "notEngaged"
    ? { outcome: "accepted", ...sent, without: "engaged" }
    : { event: events[choice], ...sent };
}

/**
 * The condition for the recipients that a list shows, by the parameters of its address; null where an audience can't
 * say the same. "Did not engage" is said of those who got the push: without that outcome it would be about more.
 */
export function conditionOfList(query, run) {
  const { kind, variant, engaged, opened, event, ...others } = query;
  const isNarrower = ["reason", "deferred", "due_at", "locale", "os_version", "app_version", "q"].some((name) =>
    others[name]
  );
  const without = engaged === "false" ? "engaged" : opened === "false" ? "opened" : null;
  const reported = engaged === "true" ? "engaged" : opened === "true" ? "opened" : event;
  if (isNarrower || (kind && !outcomes.includes(kind)) || (!kind && !reported)) return null;
  if (without && kind !== "accepted") return null;
  const sent = {
    campaign: run.campaign_id,
    run: run.id,
    ...(variant !== undefined && { variant: Number(variant) }),
  };
  const conditions = [
    kind && { outcome: kind, ...sent, ...(without && { without }) },
    reported && { event: reported, ...sent },
  ].filter(Boolean);
  return conditions.length > 1 ? { all: conditions } : conditions[0];
}
