// Says in one sentence what a campaign will do; each clause leads to the step that decides it.

import m from "../m.js";
import { moment, rich, t } from "../i18n.js";
import { capital } from "../phrases.js";
import { page } from "../session.js";
import { known } from "../audience/values.js";
import { countOf, countWords } from "../schedule/count-of.js";
import { sentence } from "../audience/sentence.js";
import { slots } from "../schedule/timeline.js";
import { windowWords } from "../schedule/best-window.js";
import { ruleWords, theirTimeWords, zoneWords } from "../schedule/words.js";

/** `data` is a forecast. */
export const ReviewSentence = {
  view: ({ attrs: { campaign, data } }) => {
    const step = (name, ...content) => m("a", { href: page(`/campaigns/${campaign.id}/${name}`) }, content);
    const { schedule, name } = campaign;
    const who = step(
      "audience",
      t("review.devices", { count: countOf(data).value, devices: countWords(countOf(data)) }),
    );
    const what = step("content", `“${name}”`);
    const all = slots(data, known().zones);
    const [first] = all;
    const start = first &&
      t(first.cities[0] ? "review.firstIn" : "review.first", { city: first.cities[0] ?? "", time: moment(first.from) });
    const kind = schedule?.kind ?? "now";
    const when = step(
      "schedule",
      capital({
        now: () => t("review.now"),
        at: () => t("review.at", { time: moment(schedule.at) }),
        local: () => theirTimeWords(schedule, "review"),
        triggered: () => t("review.triggered"),
        recurring: () =>
          t("review.recurring", {
            rule: ruleWords(schedule),
            time: windowWords(schedule),
            zone: zoneWords(schedule),
          }),
      }[kind]()),
    );
    const isSpread = kind === "local" || schedule?.time_zone === "recipient";
    return [
      m(
        "p.review-sentence",
        rich(isSpread && !data.best_time && all.length > 1 ? "review.sentenceZones" : "review.sentence", {
          when,
          who,
          what,
          zones: String(all.length),
        }),
        isSpread && start ? rich("review.andFirst", { start }) : t("review.stop"),
      ),
      m("p.soft", sentence(campaign.audience, known().names)),
    ];
  },
};
