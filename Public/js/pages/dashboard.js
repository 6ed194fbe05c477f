// The dashboard: campaigns that need a person, that run, and that come, and the last week. Each part is shown only if
// it has something.

import m from "../m.js";
import { t } from "../i18n.js";
import { api } from "../api.js";
import { Failure, load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { waitingApprovals } from "../approvals.js";
import { createCampaign } from "../campaigns/actions.js";
import { isAhead } from "../campaigns/run.js";
import { instant } from "../campaigns/when.js";
import { Attention } from "../dashboard/attention.js";
import { keyTroubles } from "../dashboard/key-troubles.js";
import { NextCampaigns } from "../dashboard/next.js";
import { RunningCampaigns } from "../dashboard/running.js";
import { loadWeek } from "../dashboard/load-week.js";
import { Today } from "../dashboard/today.js";
import { Week } from "../dashboard/week-view.js";
import { Banner } from "../ui/banner.js";
import { ringing } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Skeleton } from "../ui/skeleton.js";

const day = 86_400_000;
/** Milliseconds between two looks: while something is sent, and otherwise. */
const busyPollMs = 3_000, idlePollMs = 20_000;
/** Milliseconds for which the numbers of the week are kept. */
const weekPollMs = 30_000;
const limit = 200;

export default function DashboardPage() {
  const campaigns = (values, signal) => api.get(inApp("/campaigns"), { limit, ...values }, { signal });
  /** The week changes slowly. */
  let known = { at: 0 };
  async function lastWeek(signal) {
    if (Date.now() - known.at < weekPollMs) return known;
    let error = null;
    /** The campaigns are shown without these parts, too. */
    const alone = (part, otherwise) =>
      part.catch((reason) => {
        if (signal.aborted) throw reason;
        error = reason;
        return otherwise;
      });
    const asked = session.may("apps:read")
      ? api.get(inApp("/credentials"), {}, { signal }).catch(() => null)
      : Promise.resolve(null);
    const [week, credentials, keys, newest] = await Promise.all([
      alone(loadWeek(signal), null),
      asked,
      alone(asked.then((answer) => keyTroubles(answer?.data, signal)), { refused: [], ending: [] }),
      campaigns({ limit: 1 }, signal),
    ]);
    known = {
      at: Date.now(),
      error,
      week,
      keys,
      hasKey: credentials === null || credentials.data.length > 0,
      isFirst: newest.data.length === 0,
    };
    return known;
  }
  function retry() {
    known.at = 0;
    return resource.reload();
  }

  const resource = load(async (signal) => {
    const [paused, failed, sending, scheduled, { error, week, keys, isFirst, hasKey }] = await Promise.all([
      campaigns({ state: "paused" }, signal),
      campaigns({ state: "failed" }, signal),
      campaigns({ state: "sending" }, signal),
      campaigns({ state: "scheduled" }, signal),
      lastWeek(signal),
    ]);
    const moving = scheduled.data.filter(({ last_run: run }) => ["sending", "waiting"].includes(run?.state));
    const all = [...sending.data, ...moving];
    const ahead = all.filter(({ last_run: run }) => run && isAhead(run));
    const at = (each) => instant(ahead.includes(each) ? each.last_run.next_at : each.next_at);
    const asking = scheduled.data.filter(({ last_run: run }) => run?.state === "paused");
    return {
      attention: [...paused.data, ...asking, ...failed.data],
      running: all.filter((each) => !ahead.includes(each)),
      // A run that waits for its first time zone has not begun either.
      next: [...ahead, ...scheduled.data].filter((each) => at(each) - Date.now() < day).sort((a, b) => at(a) - at(b)),
      error,
      week,
      keys,
      isFirst,
      hasKey,
    };
  });

  let timer;
  let isHere = true;
  function wait() {
    timer = setTimeout(async () => {
      if (!document.hidden) await resource.reload();
      if (isHere) wait();
    }, resource.data?.running.length ? busyPollMs : idlePollMs);
  }
  wait();

  function draw(data) {
    ringing[data.running.length ? "add" : "delete"]("dashboard");
    const mayWrite = session.may("campaigns:write");
    const isBusy = data.running.length > 0 || data.next.length > 0;
    const { week } = data;
    const isSilent = week !== null && week.days.every((each) => !each.accepted && !each.engaged && !each.conversions);
    const failure = Failure({ error: data.error, reload: retry });
    const waiting = waitingApprovals();
    const parts = [
      waiting > 0 && m(
        Banner,
        { variant: "note" },
        t("dashboard.approvals", { count: waiting }),
        " ",
        m("a", { href: page("/approvals") }, t("nav.approvals")),
      ),
      Attention({ ...data, onarchived: () => resource.reload() }),
      (isBusy || !isSilent) && m("section.sheet.dash-now", RunningCampaigns(data), NextCampaigns(data)),
      week && !isSilent && [m(Today, { today: week.days.at(-1) }), m(Week, { week })],
    ].filter(Boolean);
    if (parts.length && !data.isFirst) return m("div.stack.dash", failure, parts);
    return m(
      "div.stack.dash",
      failure,
      parts,
      m(
        "div.sheet",
        m(
          Empty,
          {
            icon: "bell",
            title: t(data.isFirst ? "dashboard.firstTitle" : "dashboard.emptyTitle"),
            text: t(data.isFirst ? "dashboard.firstText" : "dashboard.emptyText"),
          },
          mayWrite && data.isFirst &&
            m(Button, { variant: "strong", icon: "plus-lg", onclick: createCampaign }, t("campaigns.new")),
          data.isFirst
            ? session.may("apps:write") && m(Button, { href: page("/setup") }, t("devices.connect"))
            : m(Button, { href: page("/campaigns") }, t("dashboard.allCampaigns")),
        ),
      ),
    );
  }

  return {
    onremove() {
      isHere = false;
      clearTimeout(timer);
      resource.end();
      ringing.delete("dashboard");
    },
    view: () => [
      m(
        "div.page-head",
        m("h1", t("nav.dashboard")),
        resource.data && !resource.data.isFirst && session.may("campaigns:write") &&
          m(Button, { variant: "strong", icon: "plus-lg", onclick: createCampaign }, t("campaigns.new")),
      ),
      Loaded({ resource, skeleton: m(Skeleton, { rows: 5, height: 64 }) }, draw),
    ],
  };
}
