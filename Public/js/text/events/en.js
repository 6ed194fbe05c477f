// Texts about custom events, in English.

export default {
  customEvents: {
    intro: "What people do in the app, under names that the app chooses. Audiences select people by them, and tests and control groups are decided by them.",
    none: "No custom event was reported yet", noneText: "The app or its server reports them. The API reference has an example.",
    name: "Name", properties: "Properties", count: "Last 30 days", amount: "Sum of the values", noProperties: "none",
    description: "Description", descriptionHelp: "For people who choose the event, for example in an audience.",
    series: "Events of the last 30 days", day: "Day", most: "{count} in all; the most on {day}: {most}.", nothing: "None in the last 30 days.",
  },
};
