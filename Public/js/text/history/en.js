// Texts about what single devices and people got, in English: histories, "Why?", the recipients of a run, its due times.

export default {
  history: {
    device: "Pushes to this device", person: "Pushes to this person", personText: "On all devices that were theirs when a push was sent.",
    none: "This device has got no push yet.", nonePerson: "This person has got no push yet.", end: "There are no older pushes.", further: "None so far; there are more pages.",
    campaign: "Campaign {id}", single: "Single push from your server", erasedDevice: "a device that was erased", onDevice: "on {device}",
    at: "at {time}", between: "between {from} and {to}", since: "since {time}", dated: "{day}, {window} {city}", deferred: "moved to a later time", resent: "sent again",
    answered: "Apple answered {answer}", then: "then {parts}", inLanguage: "in {language}", inApp: "app {version}", events: "Reports of the device",
    event: {
      delivered: "delivered", presented: "shown inside the app", opened: "opened", action: "pressed the button {action}", dismissed: "dismissed", text: "replied", converted: "converted",
      influenced: "opened the app soon after",
    },
    reply: "replied: {text}", erasedReply: "replied; the text was erased", conversion: "converted: {name}", value: "value {value}", implied: "follows from a later report",
    ask: "Ask about a campaign", askHelp: "Choose a campaign to see why it was sent to this device or not.", search: "Search campaigns", noCampaigns: "There are no campaigns yet.", unsent: "not sent yet",
  },
  why: {
    title: "Why?", about: "{run} · device {device}", of: "Why? {name}, {time}", report: "Open the report", missing: "This campaign was not sent yet.", missingText: "After it is sent, this page says why the device got it or not.",
    noDevice: "There is no such device. It was erased, or it belongs to another app.",
    verdict: {
      sent: "“{name}” was sent to this device.", "not_sent": "“{name}” was not sent to this device.", pending: "“{name}” was not sent to this device yet.", "not_considered": "“{name}” was not for this device.",
      unknown: "It is not known whether “{name}” was for this device.", rejected: "Apple rejected “{name}” for this device.", lost: "“{name}” was sent to this device, but Apple's answer was lost.",
    },
    rules: "The rules, in their order", decided: "This rule decided.", result: { passed: "Passed", failed: "Not passed", unknown: "Not known" },
    rule: {
      registered_before_start: "Registration", token_kind: "Kind of token", token: "Token", planned: "List of recipients", audience: "Audience",
      permission: "Permission", opt_out: "Opt-out", topic: "Topic", local_time: "Local time", quiet_hours: "Quiet hours", frequency_cap: "Frequency cap",
      credential: "Apple's key", value: "Values", size: "Size", expiration: "Expiration", cancellation: "Cancellation", sending: "Sending",
      apple: "Apple", answer: "Apple's answer",
    },
    rejected: "Apple rejected the push: {reason}.",
    conditions: "Conditions of the audience", isMet: "Met", isNotMet: "Not met", all: "All of these", any: "Any of these", not: "Not this", today: "The conditions are checked with the values that the device has today.",
    push: "The push", apple: "Apple's answer", accepted: "{status}, accepted", notAsked: "Apple was not asked", window: "Time window", then: "The device then", language: "Text", defaultText: "Default text", notKnown: "Not known",
    payload: "Payload", exact: "This payload was sent.", notExact: "The payload is composed again with today’s values, so it may differ from the one that was sent.", noPayload: "The payload can't be composed any more: a value is missing now, or the media was deleted.",
    reported: "Reports of the device", nothing: "Nothing was reported.",
  },
  people: {
    title: "Devices of “{name}”", back: "Report", filter: "Outcome", filters: "Filters", all: "All", person: "Person", device: "Device", reason: "Reason", anyReason: "Any reason",
    erased: "Erased", nobody: "No user ID", resent: "sent again", deferred: "later batch", onlyDeferred: "Sent in a later batch", empty: "No device matches these filters", showAll: "Show all devices",
    search: "User ID or installation, exactly", notFound: "This run has no such recipient", further: "None so far; there are more pages",
    apple: "Apple", locale: "Language then", window: "Time window", opened: "Opened", notKnown: "Not known", withCount: "{name} ({count})",
    any: { variant: "Any variant", locale: "Any language", os_version: "Any iOS", app_version: "Any app", told: "Any report", due_at: "Any due time" },
    name: { variant: "Variant of the A/B test", locale: "Language when it was sent", os_version: "iOS version when it was sent", app_version: "App version when it was sent", told: "Reports of the device", due_at: "Due time" },
    told: {
      engaged: "Engaged", notEngaged: "Did not engage", true: "Opened", false: "Not opened", delivered: "Delivered", presented: "Shown inside the app", action: "Pressed a button", dismissed: "Dismissed", text: "Replied", converted: "Converted",
      influenced: "Opened the app soon after",
    },
    export: "Export", matching: { one: "{count} recipient", other: "{count} recipients" }, matchingUnknown: "All recipients that match the filters",
    deletedTitle: "The list of recipients was deleted", deletedText: "Belfry deleted it on {time}, as the app's retention says. The totals of the run are kept.", toReport: "Open the report",
  },
  dueTimes: {
    title: "Due times", text: "The devices by due time, with their outcomes. In each row, targeted is the sum of the numbers after it.", due: "Due", there: "{time} in {city}", more: "More due times",
  },
};
