// Whether a campaign waits for a second person. Does not use the DOM.

/** `forecast` of a campaign: true if it may be sent as far as approvals go. */
export const mayBeSent = ({ approval }) => approval === "not_needed" || approval === "approved";

/** True if the campaign as it is waits for a decision. */
export const isAsked = ({ approval }, forecast) =>
  ["waiting", "overdue"].includes(approval?.state) && forecast.approval === "waiting";
