// The requests to approve a campaign that wait for the reader: their number, beside the page's name in the rail.

import m from "./m.js";
import { api } from "./api.js";
import { session } from "./session.js";

/** Milliseconds between two looks. */
const pollMs = 60_000;

let timer, app = null, count = 0;

/** The requests that the reader can decide; 0 where the app requires none. Follows by itself while it is asked for. */
export function waitingApprovals() {
  if (!requiresApproval() || !session.may("campaigns:approve")) return 0;
  if (app !== session.app) {
    app = session.app;
    count = 0;
    refreshApprovals();
  }
  return count;
}

/** Whether the app requires approvals of some campaigns. */
export const requiresApproval = () => (session.thisApp?.approval_above ?? null) !== null;

/** Looks now, for example after a decision. */
export async function refreshApprovals() {
  clearTimeout(timer);
  const own = session.app;
  try {
    const answer = await api.get(`/v1/apps/${own}/approval-counts`);
    if (own !== session.app) return;
    if (count !== answer.for_you) m.redraw();
    count = answer.for_you;
  } catch {
    // The number of the last look stays.
  }
  timer = setTimeout(() => {
    if (own !== session.app) return;
    if (document.hidden) timer = setTimeout(refreshApprovals, pollMs);
    else refreshApprovals();
  }, pollMs);
}

session.endListeners.add(() => {
  clearTimeout(timer);
  app = null;
});
