// The report's first sheet: how far it is, how fast, until when, and the ledger.

import m from "../m.js";
import { city, clock, duration, moment, number, share, t } from "../i18n.js";
import { labelled, sentences, stopped } from "../phrases.js";
import { session } from "../session.js";
import {
  averageRate,
  done,
  isAhead,
  isEstimate,
  isMoving,
  isOver,
  recentRate,
  timeLeft,
  total,
  zoneAt,
} from "../campaigns/run.js";
import { choices } from "../follow-up/choices.js";
import { Ledger, terms } from "../ui/ledger.js";
import { Meter } from "../ui/meter.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Term } from "../ui/term.js";

/** Says where a run in local time goes next, or when its devices are due. */
export function nextSendText(run) {
  if (isOver(run) || run.state === "paused") return null;
  if (!run.planned_at && !run.targeted) return t("report.planning");
  if (!run.next_at) return run.state === "waiting" ? t("report.awaitsDecision") : null;
  const zone = zoneAt(run, run.next_at);
  const name = isAhead(run) ? "begins" : "goesOn";
  if (!zone) return t(`report.${name}At`, { time: moment(run.next_at) });
  return t(`report.${name}`, {
    time: moment(run.next_at),
    local: clock(run.next_at, { timeZone: zone }),
    city: city(zone),
  });
}

const Figure = { view: ({ attrs: { label }, children }) => m("div", m("span.meta", label), m("b", children)) };

const Pace = {
  view: ({ attrs: { run, samples, onlimit } }) => {
    const left = timeLeft(run, samples);
    const end = isOver(run) && run.finished_at ? Date.parse(run.finished_at) : Date.now();
    const rate = isOver(run) ? averageRate(run) : run.state === "sending" ? recentRate(samples) : null;
    const took = end - Date.parse(run.started_at);
    const limit = run.pushes_per_second === null
      ? t("report.unlimited")
      : t("report.limitedTo", { count: run.pushes_per_second });
    return m(
      "div.figures",
      isOver(run) ? rate !== null && m(Figure, { label: t("report.rateAverage") }, number(rate)) : m(
        "div",
        m("span.meta", t("report.rate")),
        m("b", number(rate)),
        m(
          "span.meta",
          limit,
          session.may("campaigns:send") &&
            m(Button, { class: "small", variant: "plain", onclick: onlimit }, t("report.changeLimit")),
        ),
      ),
      m(Figure, { label: t("report.started") }, moment(run.started_at)),
      // While it is paused or waits, a clock that goes on says nothing.
      (isOver(run) || run.state === "sending") &&
        m(
          Figure,
          { label: t(isOver(run) ? "report.took" : "report.running") },
          isOver(run) && took < 1_000 ? t("report.instantly") : duration(took),
        ),
      left !== null && m(Figure, { label: t("report.ends") }, moment(Date.now() + left)),
      isOver(run) && run.finished_at && m(Figure, { label: t("report.ended") }, moment(run.finished_at)),
    );
  },
};

const Seal = {
  view: ({ attrs: { run } }) => {
    if (run.verified_at && run.balanced) {
      return m(
        "span.seal.verified",
        m(Icon, { name: "check-circle" }),
        m(Term, { name: "verified" }, t("report.verified", { time: moment(run.verified_at) })),
      );
    }
    if (!run.balanced) return m("span.seal.wrong", m(Icon, { name: "exclamation-octagon" }), t("report.wrong"));
    return m(
      "span.seal",
      m(Icon, { name: "circle" }),
      t(run.pending === 0 && run.planned_at ? "report.counting" : "report.addsUp"),
    );
  },
};

const Answers = {
  view: ({ attrs: { run, hrefOf, onfollow } }) => {
    if (run.delivered === undefined || !run.accepted) return null;
    if (!run.delivered && !run.engaged) return m("p.soft", t("report.noOpens"));
    return m(
      "div.figures",
      ["delivered", "engaged", "opened"].map((name) =>
        m(
          "div",
          { key: name, "data-reported": name },
          m("span.meta", m(Term, { name }, t(`report.${name}`))),
          m("b", run[name] ? m("a", { href: hrefOf(name) }, number(run[name])) : number(run[name])),
          m("span.meta", t("report.ofAccepted", { share: share(run[name], run.accepted) })),
          onfollow && choices.includes(name) && run[name] > 0 &&
            m(Button, {
              class: "small",
              variant: "plain",
              "aria-label": labelled(t("followUp.short"), t(`report.${name}`)),
              onclick: () => onfollow(name),
            }, t("followUp.short")),
        )
      ),
    );
  },
};

/**
 * `href(kind)` leads to the devices behind a number, `onlimit` opens the rate limit; `deferredHref` to the devices that
 * were deferred, `reportedHref(measure)` to those that reported it; `onfollow(choice)` begins a follow-up, or is false.
 */
export const Figures = {
  view: ({ attrs: { run, samples, href, onlimit, deferredHref, reportedHref, onfollow } }) => {
    const all = total(run), sent = done(run);
    const percent = share(sent, all, 0);
    const line = t(isEstimate(run) ? "report.ofAbout" : "report.of", { done: sent, all });
    const withheld = run.targeted - run.pending;
    return m(
      "section.sheet.stack.report-main",
      m(
        "div.report-head",
        isAhead(run)
          ? m(
            "div",
            m("p.figure-large", number(run.pending)),
            m(
              "p.lead",
              t("report.ahead", { count: run.pending }),
              withheld > 0 && t("report.aheadWithheld", { count: withheld }),
            ),
          )
          : m(
            "div",
            m("p.figure-large", percent),
            m("p.lead", run.state === "cancelled" ? `${t("report.stoppedAt", { share: percent })} · ${line}` : line),
          ),
        m(Pace, { run, samples, onlimit }),
      ),
      m(Meter, {
        all,
        label: t("report.share", { share: percent }),
        parts: terms.map((kind) => ({ kind, value: run[kind], label: t(`term.${kind}.name`) })),
      }),
      m(Ledger, { ledger: run, href }),
      m(
        "div.report-foot",
        m(
          "div.stack",
          { style: { gap: "4px" } },
          m(Seal, { run }),
          run.deferred > 0 && m("a.meta", { href: deferredHref }, t("report.deferred", { count: run.deferred })),
          run.resent > 0 && m("span.meta", t("report.resent", { count: run.resent })),
        ),
        m(Answers, { run, hrefOf: reportedHref, onfollow }),
      ),
    );
  },
};

/** The text for screen readers: each ten percent, and changes of the state. */
export function liveRegionText(run) {
  const tens = Math.floor((done(run) / Math.max(1, total(run))) * 10) * 10;
  const state = t(`state.of.${run.state}`);
  return isMoving(run) ? sentences([stopped(state), t("report.heardShare", { share: share(tens, 100, 0) })]) : state;
}
