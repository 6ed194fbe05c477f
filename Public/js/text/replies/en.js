// The texts of the inbox of replies in English.

export default {
  repliesPage: {
    search: "Search the texts", campaign: "Campaign", anyCampaign: "Any campaign", campaignID: "Campaign {id}", single: "Single push",
    period: "Period", periods: { any: "Any time", p1: "Today", p7: "Last 7 days", p30: "Last 30 days", p90: "Last 90 days", pdays: "Chosen days" }, from: "First day", to: "Last day",
    part: { who: "From:", campaign: "To:", button: "Button:" }, device: "device", deviceOf: "Device {ending}", nobody: "Erased", typed: "(typed {time})",
    export: "Export {format}", erase: "Erase", eraseOf: "Erase the reply “{text}”", eraseTitle: "Erase this reply?", eraseText: "“{text}”: the text is removed permanently. Statistics still count the reply.", eraseNow: "Erase the reply", erased: "The reply is erased.",
    nothing: "No reply matches the filters", notYet: "None so far; there are more pages", end: "This page of the inbox is empty",
    empty: "No replies yet", emptyText: "People can type an answer into a notification, without opening the app. Three things are needed:",
    how: { category: "A category with an action that has a text field.", campaign: "A campaign or template that uses this category.", app: "The app reports the typed text as an event of the kind {kind}." }, toCategories: "To the categories", toReference: "How the app reports replies",
  },
};
