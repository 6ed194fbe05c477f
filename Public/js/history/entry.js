// One push of a history: its outcome, Apple's answer, the device's properties then, and its reports.

import m from "../m.js";
import { moment, rich, t } from "../i18n.js";
import { capital, enumeration } from "../phrases.js";
import { deviceHref, deviceName, ending } from "../devices/words.js";
import { reasonName } from "../reasons.js";
import { page, session } from "../session.js";
import { Kind } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Term } from "../ui/term.js";
import { openWhy } from "../why/address.js";
import { Events } from "../pushes/events.js";
import { appleText, deviceThen, pushName, windowText } from "../pushes/words.js";

function Name({ push }) {
  const { campaign_id: campaign, run_id: run } = push;
  const isLinked = campaign && session.may("campaigns:read");
  return isLinked
    ? m("a", { href: page(`/campaigns/${campaign}${run ? `/runs/${run}` : ""}`), dir: "auto" }, pushName(push))
    : m("span", { dir: "auto" }, pushName(push));
}

/** The device of an entry of a person: with its name if it is still there, else by the ending of its installation. */
function Device({ push: { installation }, device }) {
  if (!installation) return m("span", t("history.erasedDevice"));
  return m(
    "a.soft",
    { href: deviceHref(device ?? { installation }) },
    device ? deviceName(device) : ending(installation),
  );
}

/** `push` of the API; `device` is what it is today, if known; `isNamed`: the entries are of several devices. */
export const Entry = {
  view: ({ attrs: { push, device, isNamed } }) => {
    const { outcome, reason, due_at: due, run_id: run, installation } = push;
    const notes = [
      push.is_resent && t("history.resent"),
      push.was_deferred && t("history.deferred"),
      reason && reasonName(reason),
    ].filter(Boolean);
    const then = deviceThen(push, device ?? {});
    const facts = [
      windowText(push),
      push.apple && t("history.answered", { answer: appleText(push) }),
      device && then.length > 0 && t("history.then", { parts: enumeration(then) }),
    ].filter(Boolean);
    return m(
      "li.history-entry",
      m("span.history-time.soft", moment(due)),
      m(
        "div.history-what",
        m(
          "span.grow",
          Name({ push }),
          isNamed && m("span.history-device.soft", " ", rich("history.onDevice", { device: Device({ push, device }) })),
        ),
        // Single pushes have no rules that could have kept them back.
        run && installation &&
          m(Button, {
            class: "small",
            variant: "plain",
            "aria-label": t("why.of", { name: pushName(push), time: moment(due) }),
            onclick: () => openWhy({ why: run, device: isNamed ? installation : null }),
          }, t("why.title")),
      ),
      m(
        "div.history-outcome",
        m("p", m(Kind, { kind: outcome }, m(Term, { name: outcome })), notes.map((note) => ` · ${note}`)),
        m("p.meta", capital(facts.join(" · "))),
        push.events.length > 0 && m(Events, { events: push.events, since: due }),
      ),
    );
  },
};
