// The numbers of the last seven days and of today, in the time zone of the reader: of one answer, so that they agree.

import { zone } from "../i18n.js";
import { api } from "../api.js";
import { inApp } from "../session.js";
import { summary, weekOf } from "./week.js";

/** What `summary` returns; null if the server does not know the zone of this browser. */
export async function loadWeek(signal) {
  // Until later than now, so that the reader's clock may be slow.
  const [since, until] = weekOf().map((time) => time.toISOString());
  try {
    const { units } = await api.get(inApp("/statistics/series"), { unit: "day", time_zone: zone, since, until }, {
      signal,
    });
    return summary(units);
  } catch (error) {
    if (error.code === "unknown-time-zone") return null;
    throw error;
  }
}
