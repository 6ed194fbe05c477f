// The window of a schedule at each person's best time. Does not use the DOM or the network.

/** Hours of the day at which a window can begin, and its least length in hours. */
export const firstHour = 0, lastHour = 22, shortest = 2;

export const clockOf = (hour) => `${String(hour).padStart(2, "0")}:00`;

/** Whether each person gets it at the best time. */
export const isAtBestTime = (schedule) => Boolean(schedule?.best_time_until);

/** "08:00–21:00", or without a window its time. */
export function windowWords(schedule) {
  const time = (schedule.at ?? schedule.from).slice(11, 16);
  return isAtBestTime(schedule) ? `${time}–${schedule.best_time_until}` : time;
}

/** The schedule from a local `time` on, until an hour like "21:00"; null: at one time. Full hours, and long enough. */
export function withWindow(schedule, time, until) {
  const member = schedule.kind === "recurring" ? "from" : "at";
  const { best_time_until: _, ...rest } = schedule;
  if (!until) return { ...rest, [member]: time };
  const from = Math.min(Number(time.slice(11, 13)), lastHour);
  const end = Math.max(Number(until.slice(0, 2)), from + shortest);
  return { ...rest, [member]: `${time.slice(0, 11)}${clockOf(from)}:00`, best_time_until: clockOf(end) };
}
