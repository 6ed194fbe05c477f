// The texts of webhooks. Chinese is in zh.js, with the same keys.

export default {
  webhooks: {
    title: "Webhooks", create: "Add a webhook", editTitle: "Edit the webhook",
    intro: "Your server is told what happens in this app. Belfry signs each message after the Standard Webhooks convention, and repeats it for nearly a day until the server answers.",
    none: "No webhook yet", noneText: "Add the address of your server and choose the events that it is told.",
    reference: "The reference has the API of webhooks",
    url: "Address", urlHelp: "Belfry sends POST requests to it. It must be a public address that begins with https://, unless this server allows others.",
    description: "Name", kinds: "Events",
    kind: {
      run_finished: "a run finished", run_paused: "a run paused", run_failed: "a campaign could not be started",
      credential_refused: "Apple refused the key", restore_question: "runs wait for a decision after a restore",
      approval_requested: "an approval is requested", approval_decided: "an approval is decided",
      test_undecided: "an A/B test needs your decision", test_decided: "an A/B test is decided",
      replies_received: "replies arrived", devices_retired: "devices were retired",
    },
    state: { enabled: "Enabled", failing: "Failing", disabled: "Disabled" },
    failingText: "No message has arrived since {time}. The webhook is disabled after three days.",
    reason: {
      gone: "Disabled: the receiver answered with status 410, so it wants no more messages.",
      failing: "Disabled: every attempt failed for three days. Repair the receiver, then enable the webhook; messages that still wait are sent then.",
      full: "Disabled: too many messages were waiting. Repair the receiver, then enable the webhook; messages that still wait are sent then.",
    },
    test: "Send a test", testSent: "The test is on its way.",
    rotate: "New secret", rotateTitle: "Make a new secret?", rotateText: "Messages carry signatures of both secrets for a day, so that your server can change over.",
    secret: "Secret of the webhook", secretText: "Your server verifies messages with it. Copy it now: it is not shown again.", secretKept: "I have kept it",
    secretUntil: "The secret before this one signs as well until {time}.",
    enable: "Enable", disable: "Disable", delete: "Delete", deleteTitle: "Delete the webhook {url}?", deleteText: "Messages that wait are not sent, and the log of its messages is deleted.",
    openLog: "Messages of the last week", log: "Messages of the last week", filter: { all: "All", waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
    waiting: { one: "{count} message waits", other: "{count} messages wait" },
    event: "Event", created: "Created", outcome: "Outcome", body: "Show the body", noDeliveries: "There are no such messages.", more: "Show more",
    deliveryState: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" }, nextAttempt: "Next attempt {time}; attempts so far: {attempts}",
    resend: "Send again", resent: "The message is on its way again.",
  },
};
