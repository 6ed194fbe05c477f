// When a follow-up is sent: at a time of day where each phone is, some days after the run. Does not use the DOM.

const dayMs = 86_400_000;
export const longestDays = 30;

/**
 * The local time as a schedule has it, and `isLater` if those days are over: then it is tomorrow. `ended` is when the
 * run's last push went out, or now while it is being sent; times are milliseconds, `hour` is like "18:00".
 */
export function followUpTime({ ended, days, hour, now }) {
  const day = (time) => {
    const date = new Date(time);
    const two = (part) => String(part).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  };
  const wanted = `${day(ended + days * dayMs)}T${hour}:00`;
  const soonest = `${day(now + dayMs)}T${hour}:00`;
  // Today is over in some zones already.
  const isLater = wanted < soonest;
  return { at: isLater ? soonest : wanted, isLater };
}
