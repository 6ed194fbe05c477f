// Every text of the pages in English. A text with plural forms is chosen by {count}. Chinese is in zh.js, with the same keys.

export default {
  action: {
    retry: "Try again", reload: "Load again", home: "Home", back: "Go back", undo: "Undo", close: "Close", copy: "Copy", copied: "Copied.",
    save: "Save", create: "Create", edit: "Edit", delete: "Delete", duplicate: "Duplicate", archive: "Archive", unarchive: "Take out of the archive",
    cancel: "Cancel", next: "Next", add: "Add", remove: "Remove", rename: "Rename", more: "More actions",
  },
  state: {
    loading: "Loading", stale: "Not loaded. These are the data of {time}.", offline: "Offline. Your changes are kept in this browser.",
    of: {
      draft: "Draft", scheduled: "Scheduled", sending: "Sending", waiting: "Waiting", paused: "Paused", sent: "Sent", cancelled: "Cancelled", failed: "Failed",
      finished: "Finished", planning: "Planning",
    },
  },
  error: {
    status: "The server answered with status {status}.", unreachable: "The server can't be reached.",
    cut: "The connection was closed before the answer was complete.", module: "A part of this page could not be loaded.",
    noApp: "There is no such app", noAppText: "It was deleted, or you may not see it. An admin can give you a role in it.",
    missing: "There is nothing at this address", missingText: "It was deleted, or the address is wrong.",
  },
  field: { optional: "(optional)" },
  shell: {
    skip: "Skip to the page", switchApp: "Switch the app", newApp: "New app", noApp: "No app", light: "Light", dark: "Dark", auto: "Like the device",
    glossary: "Glossary", keys: "Keys", signOut: "Sign out",
  },
  nav: {
    label: "Pages", setup: "Setup", open: "Open the list of pages", dashboard: "Dashboard", campaigns: "Campaigns", templates: "Templates", segments: "Segments",
    devices: "Devices", categories: "Categories", topics: "Topics", localPlans: "Local plans", app: "App",
  },
  keys: {
    title: "Keys", search: "Search", move: "Move in a list", open: "Open", create: "Create", help: "Show this list", save: "Save now", next: "Next step",
    steps: "Go to a step", switch: "Single keys work",
  },
  destination: {
    simulator: { name: "Simulator", text: "Simulator: no real phone gets this." },
    apple: { name: "Apple", text: "Apple: real phones get this." },
  },
  signIn: {
    title: "Sign in", submit: "Sign in", email: "E-mail address", password: "Password", name: "Your name", show: "Show the password",
    welcome: "Welcome to Belfry", welcomeText: "Create the first admin, who can then add everybody else.", createAdmin: "Create admin",
    choose: "Choose a password", chooseText: "It replaces the old one, if you have one.", newPassword: "New password", saveAndEnter: "Save and sign in",
    hint: "At least 10 characters. Several words are good.",
  },
  list: {
    pages: "Pages of the list", newer: "Newer", older: "Older", first: "This is the first page.", last: "This is the last page.", selectAll: "Select all",
    select: "Select {name}", nothing: "Nothing matches “{text}”.", clear: "Clear the search",
    selected: { one: "{count} selected", other: "{count} selected" },
  },
  term: {
    targeted: { name: "targeted", text: "Every device that the campaign considered." },
    accepted: { name: "accepted", text: "Apple took the push. It was not shown yet: the phone may be off." },
    delivered: { name: "delivered", text: "The phone told that it has the push. Only apps that report it are counted." },
    opened: { name: "opened", text: "The phone told that a person opened the push." },
    rejected: { name: "rejected", text: "Apple refused the push and said why." },
    suppressed: { name: "suppressed", text: "A rule kept the push back, for example quiet hours or a missing value." },
    expired: { name: "expired", text: "It could not be sent before its time was over." },
    cancelled: { name: "cancelled", text: "The campaign was cancelled before the push was sent." },
    unknown: { name: "unknown", text: "It was sent, but the answer was lost. It may have arrived." },
    pending: { name: "pending", text: "It was not sent yet." },
    verified: { name: "verified", text: "The ledger was recounted at the end, and it adds up." },
    campaign: { name: "campaign", text: "A message for many devices, with its audience and schedule." },
    run: { name: "run", text: "One sending of a campaign. A repeating campaign has many." },
    audience: { name: "audience", text: "The devices that a campaign is for." },
    segment: { name: "segment", text: "A saved audience, which campaigns can share." },
    ledger: { name: "ledger", text: "The account of a run: what became of every targeted device." },
    quietHours: { name: "quiet hours", text: "Hours of the night in which pushes wait or are left out." },
    frequencyCap: { name: "frequency cap", text: "The most campaign pushes that one device gets within some days." },
    brake: { name: "brake", text: "The campaign pauses by itself when Apple rejects too many pushes." },
  },
  glossary: { title: "Glossary" },
};
