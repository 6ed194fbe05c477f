// The steps of the editor in which the members of a campaign are mended. Does not use the DOM.

const members = {
  audience: ["audience", "topic"],
  schedule: [
    "schedule",
    "missed_start",
    "ignores_quiet_hours",
    "ignores_frequency_cap",
    "pushes_per_second",
    "rejection_threshold_percent",
  ],
};

/** The step for the path of a problem: "audience", "schedule", or "content" for everything else. */
export function stepOf(path = "") {
  const [member] = path.split(".");
  return Object.keys(members).find((step) => members[step].includes(member)) ?? "content";
}
