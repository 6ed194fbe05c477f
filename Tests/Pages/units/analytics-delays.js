const { distribution, medianStep } = await import("/js/analytics/delays.js");
const group = (value, opened) => ({ value: String(value), opened });

return {
  "steps are in order and have no gaps": () =>
    equal(distribution([group(20, 1), group(5, 3)]).map(({ from, to, count }) => [from, to, count]), [
      [0, 5, 0],
      [5, 10, 3],
      [10, 20, 0],
      [20, 30, 1],
    ]),
  "no opening has no distribution and no median": () =>
    equal([distribution([]), distribution([group(5, 0)]), medianStep([])], [[], [], null]),
  "the last step has no end": () =>
    equal(distribution([group(1_209_600, 1)]).at(-1), { from: 1_209_600, to: null, count: 1 }),
  "the median is in the step in which half of the opens are passed": () =>
    equal(
      [[group(0, 1), group(5, 1), group(10, 1)], [group(0, 2), group(60, 1)], [group(0, 1), group(60, 3)]].map((
        groups,
      ) => medianStep(distribution(groups)).from),
      [5, 0, 60],
    ),
};
