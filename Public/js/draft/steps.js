// The steps of the editor in which the members of a campaign are mended. Does not use the DOM.

const members = {
  audience: ["audience", "topic"],
  schedule: [
    "schedule",
    "missed_start",
    "quiet_hours",
    "frequency_cap",
    "ignores_quiet_hours",
    "ignores_frequency_cap",
    "ignores_global_control",
    "pushes_per_second",
    "rejection_threshold_percent",
  ],
};

/** The member that a path leads into: "variants" for "variants[1].payload". */
export function memberOf(path = "") {
  return path.split(/[.[]/, 1)[0];
}

/** The step for the path of a problem: "audience", "schedule", or "content" for everything else. */
export function stepOf(path = "") {
  const member = memberOf(path);
  return Object.keys(members).find((step) => members[step].includes(member)) ?? "content";
}
