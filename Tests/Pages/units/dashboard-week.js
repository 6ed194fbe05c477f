const { summary, weekOf } = await import("/js/dashboard/week.js");
const now = new Date(2026, 10, 23, 12).getTime();
const unit = (daysAgo, accepted, engaged = 0) => ({
  starts_at: new Date(2026, 10, 23 - daysAgo).toISOString(),
  accepted,
  engaged,
  conversions: 0,
});

return {
  "there are seven days, today is the last": () => {
    const { days } = summary([], now);
    equal([days.length, new Date(days.at(-1).time).getDate(), new Date(days[0].time).getDate()], [7, 23, 17]);
  },
  "the days are asked for as a whole, and today to its end": () =>
    equal(weekOf(now).map((time) => time.getTime()), [new Date(2026, 10, 17), new Date(2026, 10, 24)].map(Number)),
  "today and the other days add up to the sum": () => {
    const week = summary([unit(6, 5, 1), unit(0, 7, 2)], now);
    equal([week.accepted, week.engaged, week.days.at(-1).accepted, week.days[0].engaged], [12, 3, 7, 1]);
  },
  "seven days are seven days in the week in which clocks are changed": () => {
    const { days } = summary([], new Date(2026, 9, 27, 0, 30).getTime());
    equal(days.map(({ time }) => new Date(time).getDate()), [21, 22, 23, 24, 25, 26, 27]);
  },
};
