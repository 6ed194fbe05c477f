// Formats numbers and times in the reader's variety of English.

const locale = navigator.language?.startsWith("en") ? navigator.language : "en-GB";

const whole = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: "percent" });
const tenthOfPercent = new Intl.NumberFormat(locale, { style: "percent", minimumFractionDigits: 1 });
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const timeOnly = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const timeWithSeconds = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });

export function count(number) {
  return whole.format(number);
}

/** Rounds down, so that 100 % means that no recipient is missing. */
export function share(part, all) {
  if (part === all && all > 0) return percent.format(1);
  return tenthOfPercent.format(all > 0 ? Math.floor((part / all) * 1000) / 1000 : 0);
}

export function moment(text) {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? `today, ${timeOnly.format(date)}` : dayAndTime.format(date);
}

export function clock(text) {
  return timeWithSeconds.format(new Date(text));
}

/** Includes tenths if the duration is final and under a minute. */
export function duration(milliseconds, isFinal) {
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 60) return unit("second", isFinal ? seconds : Math.floor(seconds), isFinal ? 1 : 0);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${unit("minute", minutes)} ${unit("second", Math.floor(seconds % 60))}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${unit("hour", hours)} ${unit("minute", minutes % 60)}`;
  return unit("day", Math.floor(hours / 24));
}

const units = new Map();

function unit(name, number, digits = 0) {
  const key = `${name} ${digits}`;
  if (!units.has(key)) {
    units.set(key, new Intl.NumberFormat(locale, {
      style: "unit", unit: name, unitDisplay: "narrow", minimumFractionDigits: digits, maximumFractionDigits: digits,
    }));
  }
  return units.get(key).format(number);
}
