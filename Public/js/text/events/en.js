// Texts about custom events, in English.

export default {
  customEvents: {
    intro: "What people do in the app, under names that the app chooses. Audiences select people by them, and tests and control groups are decided by them.",
    none: "No custom event was reported yet", noneText: "The app or its server reports them. The API reference has an example.",
    name: "Name", properties: "Properties", count: "Last 30 days", amount: "Sum of the values", noProperties: "none",
    description: "Description", descriptionHelp: "For people who choose the event, for example in an audience.",
    series: "Events of the last 30 days", day: "Day", most: "{count} in all; the most on {day}: {most}.", nothing: "None in the last 30 days.",
    conversion_days: "Counts as a conversion", noConversion: "No", withinDays: { one: "Within {count} day after a push", other: "Within {count} days after a push" },
    conversionHelp: "Reports then show which campaigns led to it. What was reported before is not counted.",
    countsAs: { one: "Conversion within {count} day after a push", other: "Conversion within {count} days after a push" },
    delete: "Delete…", deleteTitle: "Delete “{name}” and its events?", deleteText: "This deletes all events with this name and their counts. Audiences and goals that use the name match nobody. If the app reports the name again, counting starts from zero. This can't be undone.",
    ledTo: "Campaigns that led to it", ledToNone: "None yet. Events are counted about five minutes after they were reported.", campaign: "Campaign",
  },
  conversion: {
    title: "Conversions", event: "Event", direct: "Direct", influenced: "Influenced", direct_amount: "Value, direct", influenced_amount: "Value, influenced",
    about: "Direct: somebody opened, pressed or replied, and then it happened. Influenced: somebody was sent this push last and engaged with none, and it happened. Each event counts for one campaign only.",
  },
};
