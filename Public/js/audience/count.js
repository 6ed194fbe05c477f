// Counts the devices of an audience while it is edited, and shows some of them.

import m from "../m.js";
import { number, rich, t } from "../i18n.js";
import { api, APIError } from "../api.js";
import { localeName } from "../locales/locales.js";
import { inApp, page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Skeleton } from "../ui/skeleton.js";
import { isSame } from "./tree.js";

/** Milliseconds after the last change. */
const countDelayMs = 400;
/** A count may scan many devices. */
const timeoutMs = 30_000;

/**
 * Counts the audience of `counter.take(audience)` when it has changed. Has `result` (the API's count), `isOld` while
 * another number is on its way, `problems` of the audience, `error`.
 */
export function newCounter() {
  let timer;
  let abort;
  let wanted;
  const counter = {
    result: null,
    isOld: false,
    problems: [],
    error: null,
    take(audience) {
      if (wanted !== undefined && isSame(wanted, audience)) return;
      const isFirst = wanted === undefined;
      wanted = audience;
      counter.isOld = true;
      clearTimeout(timer);
      timer = setTimeout(count, isFirst ? 0 : countDelayMs);
    },
    retry: () => count(),
    end() {
      clearTimeout(timer);
      abort?.abort();
    },
  };
  async function count() {
    abort?.abort();
    const own = (abort = new AbortController());
    try {
      const result = await api.post(inApp("/audiences/count"), { audience: wanted }, { signal: own.signal, timeoutMs });
      Object.assign(counter, { result, isOld: false, problems: [], error: null });
    } catch (error) {
      if (own.signal.aborted) return;
      const isAudience = error instanceof APIError && error.problems.length > 0;
      Object.assign(counter, {
        isOld: true,
        problems: isAudience ? error.problems : [],
        error: isAudience ? null : error,
      });
    }
    m.redraw();
  }
  return counter;
}

/** `figures` take the place of the counter's own numbers. */
export const Count = {
  view: ({ attrs: { counter, audience, isSegment, figures } }) => {
    counter.take(audience);
    const { result, isOld, error, problems } = counter;
    const failure = error &&
      m(
        Banner,
        { variant: "danger", role: "alert" },
        error.message,
        m(Button, { variant: "plain", onclick: counter.retry }, t("action.retry")),
      );
    if (!result && figures) return m("div.stack", figures, failure);
    if (!result) return failure || (problems.length ? null : m(Skeleton, { rows: 3, height: 28 }));
    const { matches, reachable, is_exact: isExact, margin_of_error: margin } = result;
    return m(
      figures ? "div.stack" : "div.count",
      figures ? {} : { class: isOld ? "old" : "", "aria-busy": isOld ? "true" : "false" },
      failure,
      figures ??
        [
          m(
            "p",
            m("span.figure-large", `${isExact ? "" : `${t("audience.about")} `}${number(matches)}`),
            " ",
            m("span.lead", t("audience.devices", { count: matches })),
          ),
          m(
            "p.soft",
            { role: "status" },
            matches === 0
              ? t("audience.none")
              : matches === reachable
              ? t("audience.allReachable", { count: matches })
              : t("audience.reachable", { reachable, count: matches - reachable }),
            !isExact && t("phrase.gap"),
            !isExact && (margin === null ? t("audience.estimate") : t("audience.margin", { margin })),
          ),
        ],
      isSegment && !audience?.include && !audience?.exclude
        ? m(Banner, t("segments.needsCondition"))
        : !audience?.include &&
          m(Banner, { variant: "warn" }, t(audience?.exclude ? "audience.onlyExcept" : "audience.noConditions")),
      result.sample.length > 0 && m(
        "div.sample",
        m("h3", t("audience.sample")),
        m("ul", result.sample.map((each) => m("li", { key: each.device_id }, person(each)))),
      ),
    );
  },
};

function person({ installation, nickname, user_id: user, locale, app_version: version }) {
  const name = nickname ?? user ?? installation.slice(0, 12);
  const about = [locale && localeName(locale), version && t("audience.version", { version })].filter(Boolean).join(
    " · ",
  );
  return rich("audience.person", {
    name: session.may("devices:read")
      ? m("a", { href: page(`/devices/${encodeURIComponent(installation)}`) }, name)
      : m("b", name),
    about: m("span.meta.nowrap", about),
  });
}
