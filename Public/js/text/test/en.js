// Texts about the result of an A/B test, in English.

export default {
  test: {
    title: "Result of the A/B test", failed: "The result of the A/B test can't be loaded. Reload the page.",
    uncounted: "The people of each variant are being counted. It takes up to a minute.",
    of: "{reached} of {people}",
    early: {
      opened: "Too early to compare. Opened so far: {reached}. A comparison needs {people} people in each variant, and {least} who opened it in two of them.",
      engaged: "Too early to compare. Engaged so far: {reached}. A comparison needs {people} people in each variant, and {least} who engaged in two of them.",
      event: "Too early to compare. With {event} so far: {reached}. A comparison needs {people} people in each variant, and {least} with the event in two of them.",
    },
    even: "No variant is ahead. A difference of {lower} to {upper} points is possible.",
    chance: "{leader} is ahead of {other} by {points} points; it can still be chance ({lower} to {upper}).",
    ahead: {
      opened: "More people have opened {leader} so far: {rate} against {otherRate}. {other} can still follow.",
      engaged: "More people have engaged with {leader} so far: {rate} against {otherRate}. {other} can still follow.",
      event: "More people of {leader} had {event} so far: {rate} against {otherRate}. {other} can still follow.",
    },
    winner: {
      opened: "{leader} was opened by more people: {rate} against {otherRate}. The difference is almost certainly real: {lower} to {upper} points.",
      engaged: "{leader} engaged more people: {rate} against {otherRate}. The difference is almost certainly real: {lower} to {upper} points.",
      event: "{leader} led more people to {event}: {rate} against {otherRate}. The difference is almost certainly real: {lower} to {upper} points.",
    },
    noWinner: "No winner: a difference of {points} points can be chance. It is {most} points at most. With {people} people in each variant, a difference under {detectable} points is missed more than one time in five.",
    noDifference: "No difference that matters: if there is one, it is under {most} points.",
    sampleRatio: "Don't trust these numbers: people are missing from a variant ({people}), so there is no verdict until the cause is found.",
    decides: "The decision is {time}, when everybody's time has passed. Until then the ranges hold at any time.",
    counted: "Counted {time}. The ranges hold however often you look.",
    final: "Decided {time}, from what had been reported by then.",
    mixed: { one: "{count} person signed in meanwhile, got two variants, and is not counted.", other: "{count} people signed in meanwhile, got two variants, and are not counted." },
    chart: "Difference in points, with the range in which it almost certainly lies",
    against: "{leader} against {other}", points: "{points} points", range: "{lower} to {upper}",
    people: "People", rate: "Rate", interval: "Range (95%)",
    reached: { opened: "Opened", engaged: "Engaged", event: "With {event}" },
  },
};
