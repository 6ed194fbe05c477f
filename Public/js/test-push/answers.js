// Apple's answers to test pushes, a banner for each device.

import m from "../m.js";
import { has, moment, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { problemOfPart } from "../problems/problem-words.js";
import { session } from "../session.js";
import { Banner } from "../ui/banner.js";

const variants = { accepted: "good", rejected: "danger", not_sent: "danger" };

/**
 * `results` are entries of the API's answer with `at`, the time in milliseconds. `error` is that of the request: then
 * nothing was sent. `name(installation)` names a device, and `sent` are the installations in the order of the request.
 * What `advice(result)` returns is said in place of the server's words.
 */
export const TestAnswers = {
  view: ({ attrs: { results, error, sent = [], name, advice } }) =>
    m(
      "div.stack",
      { role: "status", style: { "--gap": "8px" } },
      error && m(
        "div",
        m(
          Banner,
          { variant: "danger" },
          error.problems?.length
            ? [m("b", t("testPush.refused")), error.problems.map((each) => m("p", problem(each, sent, name)))]
            : error.message,
        ),
      ),
      results.length > 0 && m(
        "div.stack",
        { style: { "--gap": "8px" } },
        results.map((result) =>
          m(Answer, { key: result.apns_id, result, name: name(result.installation), advice: advice?.(result) })
        ),
      ),
    ),
};

/** A problem of the request as a sentence about a device, or about a part of the push. */
function problem(each, sent, name) {
  const [, index] = /^installations\[(\d+)\]/.exec(each.path) ?? [];
  const key = `testPush.problem.${each.code}`;
  return index && has(key) ? t(key, { name: name(sent[index]) }) : problemOfPart(each);
}

const Answer = {
  view: ({ attrs: { result: { outcome, reason, meaning, remedy, at }, name, advice } }) =>
    m(
      Banner,
      { variant: variants[outcome] ?? "warn" },
      m("b", t(`testPush.${outcome}`, { name, time: moment(at) })),
      m(
        "p",
        outcome === "accepted" ? t("testPush.acceptedText") : advice || sentences([meaning, remedy]),
      ),
      outcome === "rejected" && reason && m("p.meta", t("testPush.code", { code: reason })),
      session.current?.destination === "simulator" && outcome === "accepted" &&
        m("p.meta", t("destination.simulator.text")),
    ),
};
