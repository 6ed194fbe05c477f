const { summary } = await import("/js/dashboard/week.js");
const now = new Date(2026, 10, 23, 12).getTime();
const at = (daysAgo, hour = 12) => new Date(2026, 10, 23 - daysAgo, hour).toISOString();
const run = (id, daysAgo, accepted, hour) => ({ id, started_at: at(daysAgo, hour), accepted });

return {
  "there are seven days, today is the last": () => {
    const { days } = summary([], [], false, now);
    equal([days.length, new Date(days.at(-1).time).getDate(), new Date(days[0].time).getDate()], [7, 23, 17]);
  },
  "a run counts for the day on which it began, where the reader is": () =>
    equal(
      summary([run("a", 0, 5, 0), run("b", 0, 7, 23), run("c", 1, 1, 23)], [], false, now).days.slice(-2).map((
        { accepted },
      ) => accepted),
      [1, 12],
    ),
  "the days add up to the sum": () => {
    const { days, accepted } = summary([run("a", 0, 5), run("b", 6, 7, 13)], [], false, now);
    equal(days.reduce((sum, each) => sum + each.accepted, 0), accepted);
  },
  "engagement is told of runs that are in the list and known only": () => {
    const campaigns = [
      { last_run: { id: "a", engaged: 2, accepted: 5 } },
      { last_run: { id: "b", engaged: null, accepted: 7 } },
      { last_run: { id: "x", engaged: 9, accepted: 9 } },
      { last_run: null },
    ];
    const { engaged, engagedOf, known } = summary([run("a", 0, 5), run("b", 0, 7)], campaigns, false, now);
    equal([engaged, engagedOf, known], [2, 5, 1]);
  },
  "seven days are seven days in the week in which clocks are changed": () => {
    const { days } = summary([], [], false, new Date(2026, 9, 27, 0, 30).getTime());
    equal(days.map(({ time }) => new Date(time).getDate()), [21, 22, 23, 24, 25, 26, 27]);
  },
};
