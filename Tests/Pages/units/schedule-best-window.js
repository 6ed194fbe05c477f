const { windowWords, withWindow } = await import("/js/schedule/best-window.js");
const { scheduleWords } = await import("/js/schedule/words.js");

const local = { kind: "local", at: "2030-01-01T09:30:00", if_past: "next_day" };
const weekly = { kind: "recurring", rule: "FREQ=WEEKLY", from: "2030-01-01T09:30:00", time_zone: "recipient" };

return {
  "a window begins at a full hour and lasts for two hours at least": () =>
    equal([
      withWindow(local, local.at, "21:00"),
      withWindow(local, "2030-01-01T20:00:00", "21:00").best_time_until,
      withWindow(local, "2030-01-01T23:45:00", "21:00"),
    ], [
      { kind: "local", at: "2030-01-01T09:00:00", if_past: "next_day", best_time_until: "21:00" },
      "22:00",
      { kind: "local", at: "2030-01-01T22:00:00", if_past: "next_day", best_time_until: "24:00" },
    ]),
  "without a window it is one time again": () =>
    equal([
      withWindow({ ...local, best_time_until: "21:00" }, local.at, null),
      withWindow({ ...weekly, best_time_until: "21:00" }, weekly.from, null),
    ], [local, weekly]),
  "windows are told in the words of the schedule": () =>
    equal([
      windowWords(weekly),
      windowWords({ ...weekly, from: "2030-01-01T09:00:00", best_time_until: "21:00" }),
      scheduleWords({ ...local, at: "2030-01-01T09:00:00", best_time_until: "21:00" }).endsWith(
        "to 21:00, at each person’s best time",
      ),
    ], ["09:30", "09:00–21:00", true]),
};
