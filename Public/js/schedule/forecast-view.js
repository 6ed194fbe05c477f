import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { countWords } from "./count-of.js";
import { CountedAt } from "./count-sum.js";
import { known } from "../audience/values.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Lazy } from "../ui/lazy.js";
import { Skeleton } from "../ui/skeleton.js";
import { reasonWords } from "./reasons.js";
import { Timeline } from "./timeline.js";

/** The forecast: how many when, as a timeline, and who waits. */
export const ForecastView = {
  view: ({ attrs: { forecast, draft } }) => {
    const { data, count, error } = forecast;
    const isOld = forecast.isOld || forecast.isCounting;
    const failure = error &&
      m(
        Banner,
        { variant: "danger", role: "alert" },
        error.message,
        m(Button, { variant: "plain", onclick: () => forecast.countAgain() }, t("action.retry")),
      );
    if (!data) return failure || m(Skeleton, { rows: 4, height: 30 });
    const { sent, starts_at: first, ends_at: last, held } = data;
    const isTriggered = draft.value.schedule?.kind === "triggered";
    const [begins, ends] = [first, last].map((each) => (each ? moment(each) : "–"));
    return m(
      "div.stack.forecast",
      { class: isOld ? "old" : "", "aria-busy": isOld ? "true" : "false" },
      failure,
      m(
        "p",
        { role: "status" },
        sent === 0
          ? t("schedule.nobody")
          : t(`schedule.${isTriggered ? "sumTriggered" : begins === ends ? "sumAt" : "sum"}`, {
            devices: countWords(count),
            count: count.value,
            first: begins,
            last: ends,
          }),
        isOld && draft.status !== "saved" && [t("phrase.gap"), t("schedule.afterSaving")],
      ),
      !isTriggered && m(Timeline, { forecast: data, zones: known().zones }),
      data.best_time &&
        m(Lazy, { module: "schedule/best-time-forecast.js", fields: { best: data.best_time } }),
      held.map(({ reason, count }) =>
        m("p.held", { key: reason }, t("schedule.held", { count, reason: reasonWords(reason) }))
      ),
      data.expired > 0 && m(Banner, { variant: "warn" }, t("schedule.expired", { count: data.expired })),
      m("p.meta", t("schedule.rateAssumed", { rate: number(data.pushes_per_second) })),
      m(CountedAt, { forecast }),
    );
  },
};
