// Texts of the app's settings that only this page needs, in English.

export default {
  settings: {
    index: "Sections", elsewhere: "Set elsewhere",
    topicsText: "People opt out of them in the app. A campaign with a topic leaves these people out.", campaignsText: "Each has its own rejection threshold, expiration, rate and rule for late starts.",
    retention: "Retention", retentionText: "Belfry removes records of single devices at this age. Totals in reports and statistics stay.",
    remove: { event_days: "Remove old events", reply_days: "Remove old replies", recipient_days: "Remove old recipients", custom_event_days: "Remove old custom events" },
    removeHelp: {
      event_days: "Reports of single devices: delivered, opened, pressed, dismissed, converted. Off: they are kept forever.", reply_days: "The texts that people typed. Off: they are kept forever.",
      recipient_days: "The devices of each run and their outcomes. The sums of the run stay, but no longer lead to devices. Off: they are kept forever.",
      custom_event_days: "What people did in the app, as it reported it. Numbers by name stay. Off: they are kept forever.",
    },
    keepFor: { event_days: "Keep events for", reply_days: "Keep replies for", recipient_days: "Keep recipients for", custom_event_days: "Keep custom events for" }, days: "days",
    range: {
      event_days: "From {least} to {most} days. Devices may report up to 30 days after a push.", reply_days: "From {least} to {most} days.", recipient_days: "From {least} to {most} days. Frequency caps look back up to 90 days.",
      custom_event_days: "From {least} to {most} days. Audiences count the events that are left.",
    },
    events: { one: "{count} event from before {day}", other: "{count} events from before {day}" }, replies: { one: "{count} reply from before {day}", other: "{count} replies from before {day}" },
    customEvents: { one: "{count} custom event from before {day}", other: "{count} custom events from before {day}" },
    recipients: { one: "{count} recipient of {runs} from before {day}", other: "{count} recipients of {runs} from before {day}" }, runs: { one: "{count} run", other: "{count} runs" }, singlePushes: "single pushes",
    wouldRemove: "This would remove {what}. Totals stay.", nothing: "This would remove nothing now.",
    removeTitle: "Remove these records permanently?", removeText: "After you save, Belfry removes {what}. They can't be restored. Totals stay.", removeNow: "Save and remove", removeTyped: "Type {name} to remove them.",
  },
};
