// Texts about pushes at each person's best time, in English.

export default {
  bestTime: {
    day: "Day", from: "From", until: "Until", repeated: "At each person's best time", between: "between {from} and",
    help: "Each phone gets it at the hour of its own clock at which it is likeliest to be opened, as its past openings show. Phones without a past get the hour that is best for all together.",
    honest: "5% get it at that same hour, and 5% at any hour. So the report can tell whether best times are worth it.",
    honestTest: "In an A/B test all get it at their best time, and the report compares the texts.",
    hours: "Devices by the hour of their own clocks", hour: "Hour", devices: "Devices", share: "Share", at: "{from} to {to}",
    personal: { one: "{count} device has an hour of its own.", other: "{count} devices have an hour of their own." },
    others: { one: "{count} other device gets it at {hour}, the best hour for all together, or is part of the comparison.", other: "{count} others get it at {hour}, the best hour for all together, or are part of the comparison." },
    nobody: "No device has an hour of its own yet: Belfry learns them from openings, day by day. Most get it at {hour}.",
  },
};
