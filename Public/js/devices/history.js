// The pushes to a device, newest first, with what became of them.

import m from "../m.js";
import { t, has, moment } from "../i18n.js";
import { api } from "../api.js";
import { page, session } from "../session.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Kind } from "../ui/badge.js";
import { Skeleton } from "../ui/skeleton.js";
import { Term } from "../ui/term.js";

const limit = 20;

/** Why it was not shown, in words; the server's own words for reasons that this page does not know. */
function why({ outcome, reason }) {
  if (!reason) return null;
  const key = `devices.${outcome === "rejected" ? "reason" : "withheld"}.${reason.replaceAll(" ", "_")}`;
  return has(key) ? t(key) : reason;
}

function happened({ opened_at: opened, delivered_at: delivered }) {
  if (opened) return t("devices.openedAt", { time: moment(opened) });
  return delivered ? t("devices.deliveredAt", { time: moment(delivered) }) : null;
}

function entry(push) {
  const { campaign_id: campaign, campaign_name: name, run_id: run, due_at: due, was_deferred: wasDeferred } = push;
  return m("li.history-entry",
    m("span.history-time.soft", moment(due)),
    m("span.history-what", campaign && session.may("campaigns:read")
      ? m("a", { href: page(run ? `/campaigns/${campaign}/runs/${run}` : `/campaigns/${campaign}`) }, name ?? t("devices.campaign"))
      : name ?? t("devices.single")),
    m("span.history-outcome", m(Kind, { kind: push.outcome }, m(Term, { name: push.outcome })), [happened(push), wasDeferred && t("devices.deferred")].filter(Boolean).map((text) => m("span.soft", ` · ${text}`)),
      why(push) && m("p.soft", why(push))));
}

/** `path` is that of the device in the API, `address` its kind and activity. Draws nothing if the server has no history. */
export function History({ attrs: { path, address } }) {
  let pushes = null;
  let next = null;
  let error = null;
  let isMissing = false;
  const abort = new AbortController();

  async function read(cursor) {
    error = null;
    try {
      const page = await api.get(`${path}/deliveries`, { ...address, limit, cursor }, { signal: abort.signal });
      pushes = [...(cursor ? pushes : []), ...page.data];
      next = page.next_cursor;
    } catch (failure) {
      if (abort.signal.aborted) return;
      // A server that is older than this page.
      isMissing = failure.status === 404;
      error = failure;
    }
    m.redraw();
  }
  return {
    oninit: () => { read(); },
    onremove: () => abort.abort(),
    view: () => {
      if (isMissing) return null;
      return m("section.sheet.stack", m("h2", t("devices.history")),
        error && m(Banner, { look: "grave", role: "alert" }, error.message, " ", m(Button, { look: "plain", onclick: () => read(pushes ? next : undefined) }, t("action.retry"))),
        pushes === null ? !error && m(Skeleton, { rows: 3 })
          : pushes.length === 0 ? m("p.soft", t("devices.noHistory")) : m("ol.history", pushes.map(entry)),
        next && m("div.row", m(Button, { class: "small", onclick: () => read(next) }, t("list.older"))));
    },
  };
}
