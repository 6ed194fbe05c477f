// Texts about approvals, in English.

export default {
  approval: {
    title: "Approval", intro: "Campaigns that need a second person before they are sent. Open one to see exactly what would be sent.",
    tab: { waiting: "Waiting", decided: "Decided" }, recipients: "Devices", devices: { one: "device", other: "devices" }, asked: "Requested",
    state: { waiting: "Waiting", approved: "Approved", rejected: "Rejected", withdrawn: "Withdrawn", void: "Void", overdue: "Overdue" },
    none: { waiting: "Nothing waits for an approval", decided: "Nothing was decided yet" },
    noneText: { waiting: "A request appears here when somebody asks for an approval in the review of a campaign.", decided: "Approved, rejected and withdrawn requests appear here." },
    needed: "This campaign needs the approval of a second person. What they approve is exactly what is sent: any change afterwards makes the approval void.",
    commentFor: "For the person who decides", commentHelp: "For example what this campaign is for, or what you have changed.",
    request: { one: "Request approval for {devices} device", other: "Request approval for {devices} devices" },
    requested: "The approval is requested.", mayNotRequest: "You may not request it: your role does not include writing campaigns.",
    asks: "{name} asks for the approval of exactly this ({time}).", youAsked: "You asked for the approval of exactly this ({time}).",
    comment: "Comment", approve: { one: "Approve {devices} device", other: "Approve {devices} devices" }, reject: "Reject",
    rejectWhy: "Say in the comment why you reject it.", approvedNow: "Approved.", rejectedNow: "Rejected.", withdrawnNow: "The request is withdrawn.",
    notOwn: "Nobody approves a request of their own. Somebody else who may approve has to decide.", waits: "It waits for a second person who may approve campaigns.",
    withdraw: "Withdraw the request", overdue: "The time of the campaign has passed, and it is never sent late. Choose another time, then request the approval again.",
    first: "This is the first request for this campaign, so all of it is new.", same: "Nothing has changed.",
    since: "Changed since the request of {time}:", sinceApproved: "Changed since {name} approved it ({time}):", sinceRejected: "Changed since {name} rejected it ({time}):",
    rejected: "{name} rejected it ({time}):",
    standing: {
      changed: "Something else was approved: a segment of the audience has changed since.",
      grown: "The audience has grown by more than 10% since it was approved.",
      expired: "It was approved, and not sent within 24 hours.",
      waiting: "It waits for an approval.",
    },
  },
};
