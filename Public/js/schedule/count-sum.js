// The sum of a count: the devices that match, less those that do not get it and why, is what gets it.

import m from "../m.js";
import { moment, number, t } from "../i18n.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { countWords } from "./count-of.js";
import { reasonWords } from "./reasons.js";

/** When it was counted, and a way to count again. */
export const CountedAt = {
  view: ({ attrs: { forecast } }) =>
    m(
      "p.meta.counted",
      t("count.counted", { time: moment(forecast.countedAt) }),
      " ",
      m(Button, { variant: "plain", class: "small", onclick: () => forecast.countAgain() }, t("count.again")),
    ),
};

export const CountSum = {
  view: ({ attrs: { forecast } }) => {
    const { data, count, error, isOld, isCounting } = forecast;
    const failure = error &&
      m(
        Banner,
        { variant: "danger", role: "alert" },
        error.message,
        m(Button, { variant: "plain", onclick: () => forecast.countAgain() }, t("action.retry")),
      );
    if (!data) return failure || m(Skeleton, { rows: 3, height: 28 });
    const isBusy = isOld || isCounting;
    const rows = [...data.suppressed, ...(data.expired ? [{ reason: "expired", count: data.expired }] : [])];
    return m(
      "div.count",
      { class: isBusy ? "old" : "", "aria-busy": isBusy ? "true" : "false" },
      failure,
      m(
        "p",
        { role: "status" },
        m("span.figure-large", countWords(count)),
        " ",
        m("span.lead", t("count.get", { count: count.value })),
      ),
      rows.length > 0 && m(
        "table.count-sum",
        m("caption.visually-hidden", t("count.sum")),
        m("tbody", [
          m("tr", { key: "match" }, m("th", { scope: "row" }, t("count.match")), m("td", number(data.audience))),
          ...rows.map(({ reason, count: part }) =>
            m("tr", { key: reason }, m("th", { scope: "row" }, reasonWords(reason)), m("td", `− ${number(part)}`))
          ),
          m("tr.total", { key: "total" }, m("th", { scope: "row" }, t("count.getIt")), m("td", countWords(count))),
        ]),
      ),
      m(CountedAt, { forecast }),
    );
  },
};
