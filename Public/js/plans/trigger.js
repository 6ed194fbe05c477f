// Translates between triggers of local notifications and the patterns that people know. Pure.

/** The patterns of calendar triggers with the components of each. */
export const patterns = {
  daily: [],
  weekly: ["weekday"],
  monthly: ["day"],
  nth: ["weekday", "weekday_ordinal"],
  yearly: ["month", "day"],
  once: ["year", "month", "day"],
};
const dateNames = ["year", "month", "day", "weekday", "weekday_ordinal"];

/** The pattern of a calendar trigger, or "custom" if none fits. */
export function patternOf({ components, repeats }) {
  const given = dateNames.filter((name) => components[name] !== undefined && components[name] !== null);
  if (components.hour === undefined || components.second) return "custom";
  const found = Object.entries(patterns).find(([, names]) =>
    names.length === given.length && names.every((name) => given.includes(name))
  );
  if (!found) return "custom";
  return (found[0] === "once") === Boolean(repeats) ? "custom" : found[0];
}

/** A trigger of another type or pattern, which keeps what fits. */
export function triggerOf(type, old = {}, today = new Date()) {
  if (type === "interval") return { type, seconds: old.seconds || 86_400, repeats: false };
  if (type === "app_update") return { type, seconds: old.type === "interval" ? old.seconds : 0 };
  if (type === "region") {
    return {
      type,
      identifier: "place",
      latitude: 52.52,
      longitude: 13.405,
      radius: 200,
      on_entry: true,
      on_exit: false,
      repeats: true,
    };
  }
  return withPattern({ type, components: { hour: 9, minute: 0 }, repeats: true }, "daily", today);
}

/** A calendar trigger in another pattern. */
export function withPattern(trigger, pattern, today = new Date()) {
  if (pattern === "custom") return { ...trigger, components: { ...trigger.components } };
  const start = {
    year: today.getFullYear(),
    month: today.getMonth() + 1,
    day: today.getDate(),
    weekday: 2,
    weekday_ordinal: 1,
  };
  const { hour = 9, minute = 0 } = trigger.components;
  const components = Object.fromEntries(
    patterns[pattern].map((name) => [name, trigger.components[name] ?? start[name]]),
  );
  return { ...trigger, components: { ...components, hour, minute }, repeats: pattern !== "once" };
}

/** The largest unit in which a number of seconds is whole: [count, "day"]. */
export function unitOf(seconds) {
  const [unit, size] = Object.entries(units).find(([, each]) => seconds && seconds % each === 0) ?? ["second", 1];
  return [seconds / size, unit];
}
export const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };

const two = (value) => String(value ?? 0).padStart(2, "0");
export const timeOf = ({ hour, minute }) => `${two(hour)}:${two(minute)}`;
export const dateOf = ({ year, month, day }) => `${year}-${two(month)}-${two(day)}`;
