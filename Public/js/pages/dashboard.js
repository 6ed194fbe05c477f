// The dashboard: campaigns that need a person, that run, and that come, and the last week. Each part is shown only if
// it has something.

import m from "../m.js";
import { langOf, share, t } from "../i18n.js";
import { api } from "../api.js";
import { Failure, load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { archiveCampaigns, createCampaign } from "../campaigns/actions.js";
import { asksToStart, isAhead } from "../campaigns/run.js";
import { countdown, instant, timeText } from "../campaigns/when.js";
import { keyRows, keyTroubles } from "../dashboard/key-troubles.js";
import { loadToday, Today } from "../dashboard/today.js";
import { summary } from "../dashboard/week.js";
import { Week } from "../dashboard/week-view.js";
import { StateBadge } from "../ui/badge.js";
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
/** Rows of a part, the rest is in the list. */
const shownRows = 5, shownTroubles = 8;

export default function DashboardPage() {
  const campaigns = (values, signal) => api.get(inApp("/campaigns"), { limit, ...values }, { signal });
  /** The week changes slowly, and is large. */
  let known = { at: 0 };
  async function lastWeek(signal) {
    if (Date.now() - known.at < weekPollMs) return known;
    const week = new Date(Date.now() - 7 * day).toISOString();
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
    const [today, credentials, keys, runs, ...lists] = await Promise.all([
      alone(loadToday(signal), null),
      asked,
      alone(asked.then((answer) => keyTroubles(answer?.data, signal)), { refused: [], ending: [] }),
      api.get(inApp("/runs"), { since: week, limit }, { signal }),
      ...["sent", "cancelled", "scheduled", "sending", "paused"].map((state) =>
        campaigns({ state, sort: "updated" }, signal)
      ),
      campaigns({ limit: 1 }, signal),
    ]);
    const newest = lists.pop();
    known = {
      at: Date.now(),
      error,
      today,
      keys,
      hasKey: credentials === null || credentials.data.length > 0,
      week: summary(runs.data, lists.flatMap(({ data }) => data), Boolean(runs.next_cursor)),
      isFirst: newest.data.length === 0,
    };
    return known;
  }
  function retry() {
    known.at = 0;
    return resource.reload();
  }

  const resource = load(async (signal) => {
    const [paused, failed, sending, scheduled, { error, week, today, keys, isFirst, hasKey }] = await Promise.all([
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
      today,
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

  const row = (campaign, step, ...cells) =>
    m(
      "li.dash-row",
      { key: campaign.id },
      m(
        "a.row-link",
        { href: page(`/campaigns/${campaign.id}/${step}`) },
        m("b.campaign-name", { dir: "auto" }, campaign.name),
      ),
      cells,
    );

  /** Says what needs attention, with the button that goes on. */
  function trouble(campaign) {
    const { state, reason, last_run: run } = campaign;
    const report = page(`/campaigns/${campaign.id}/report`);
    if (run && asksToStart({ ...run, state: "paused", reason })) {
      return row(
        campaign,
        "report",
        m("span.state", { "data-state": "paused" }, t("campaigns.asks")),
        m(Button, { class: "small", href: report }, t("campaigns.answer")),
      );
    }
    return row(
      campaign,
      "report",
      m(StateBadge, { state: state === "scheduled" ? "paused" : state }),
      reason
        ? m("span.meta.dash-reason", { lang: langOf(reason) }, reason)
        : run && m("span.soft", t("dashboard.of", { accepted: run.accepted, all: run.targeted })),
      m(Button, { class: "small", href: report }, t(state === "failed" ? "dashboard.mend" : "dashboard.look")),
      // A failed campaign is listed until somebody archives it.
      state === "failed" && session.may("campaigns:write") &&
        m(Button, {
          class: "small",
          variant: "plain",
          onclick: () => archiveCampaigns([campaign.id], () => resource.reload()),
        }, t("action.archive")),
    );
  }

  const Attention = ({ attention, hasKey, keys }) =>
    (attention.length || !hasKey || keys.refused.length || keys.ending.length) &&
    m(
      "section.sheet.stack.dash-attention",
      m("h2", t("dashboard.attention")),
      m(
        "ul.dash-list",
        [
          !hasKey &&
          m(
            "li.dash-row",
            { key: "key" },
            m("b", t("dashboard.noKey")),
            m("span.soft.grow", t("dashboard.noKeyText")),
            m(Button, { class: "small", href: page("/app") }, t("dashboard.addKey")),
          ),
          ...keyRows(keys),
          ...attention.slice(0, shownTroubles).map(trouble),
        ].filter(Boolean),
      ),
      attention.length > shownTroubles &&
        m("p.meta", t("dashboard.moreTroubles", { count: attention.length - shownTroubles })),
    );

  const Running = ({ running }) =>
    m(
      "section",
      m("h2", t("dashboard.running")),
      running.length === 0 ? m("p.soft", t("dashboard.noneRuns")) : m(
        "ul.dash-list",
        running.slice(0, shownRows).map((each) => {
          const { last_run: run } = each;
          const percent = share(run?.progress ?? 0, 1, 0);
          return row(
            each,
            "report",
            m("span.row", m(StateBadge, { state: run?.state ?? each.state }), m("b", percent)),
            m(
              "span.bar",
              { role: "img", "aria-label": percent, "data-state": run?.state },
              m("i", { style: { width: `${(run?.progress ?? 0) * 100}%` } }),
            ),
            run?.targeted > 0 && m("span.meta", t("dashboard.of", { accepted: run.accepted, all: run.targeted })),
          );
        }),
      ),
      more(running, "sending"),
    );

  const Next = ({ next }) =>
    m(
      "section",
      m("h2", t("dashboard.next")),
      next.length === 0 ? m("p.soft", t("dashboard.noneNext")) : m(
        "ul.dash-list",
        next.slice(0, shownRows).map((each) => {
          const isBegun = each.last_run && isAhead(each.last_run);
          const time = isBegun ? each.last_run.next_at : each.next_at;
          return row(each, isBegun ? "report" : "review", m("span.meta", countdown(time), " · ", timeText(time)));
        }),
      ),
      more(next, "scheduled"),
    );

  const more = (all, state) =>
    all.length > shownRows &&
    m("p.meta", m("a", { href: page(`/campaigns?state=${state}`) }, t("dashboard.allOfThem", { count: all.length })));

  function draw(data) {
    ringing[data.running.length ? "add" : "delete"]("dashboard");
    const mayWrite = session.may("campaigns:write");
    const isBusy = data.running.length > 0 || data.next.length > 0;
    const failure = Failure({ error: data.error, reload: retry });
    const parts = [
      Attention(data),
      (isBusy || data.week.runs > 0) && m("section.sheet.dash-now", Running(data), Next(data)),
      data.today && data.week.runs > 0 && m(Today, { today: data.today }),
      data.week.runs > 0 && m(Week, { week: data.week }),
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
