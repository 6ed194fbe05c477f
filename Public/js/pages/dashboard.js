// The dashboard: campaigns that need a person, that run, and that come, and the last week. Each part is shown only if it has something.

import m from "../m.js";
import { t, number, share } from "../i18n.js";
import { api } from "../api.js";
import { load, Loaded } from "../loading.js";
import { inApp, page, session } from "../session.js";
import { createCampaign } from "../campaigns/actions.js";
import { countdown, instant, timeText } from "../campaigns/when.js";
import { summary } from "../dashboard/week.js";
import { Week } from "../dashboard/week-view.js";
import { StateBadge } from "../ui/badge.js";
import { ringing } from "../ui/bell.js";
import { Button } from "../ui/button.js";
import { Empty } from "../ui/empty.js";
import { Meter } from "../ui/meter.js";
import { Skeleton } from "../ui/skeleton.js";

const day = 86_400_000;
/** Milliseconds between two looks: while something is sent, and otherwise. */
const soon = 3_000, later = 20_000;
const limit = 200;

export default function DashboardPage() {
  const campaigns = (values, signal) => api.get(inApp("/campaigns"), { limit, ...values }, { signal });
  const resource = load(async (signal) => {
    const week = new Date(Date.now() - 7 * day).toISOString();
    const [paused, failed, sending, scheduled, newest, runs, credentials] = await Promise.all([
      campaigns({ state: "paused" }, signal), campaigns({ state: "failed" }, signal), campaigns({ state: "sending" }, signal),
      campaigns({ state: "scheduled" }, signal), campaigns({ sort: "updated" }, signal),
      api.get(inApp("/runs"), { since: week, limit }, { signal }),
      session.may("apps:read") ? api.get(inApp("/credentials"), {}, { signal }).catch(() => null) : null,
    ]);
    const moving = scheduled.data.filter(({ last_run: run }) => ["sending", "waiting"].includes(run?.state));
    const asking = scheduled.data.filter(({ last_run: run }) => run?.state === "paused");
    return {
      attention: [...paused.data, ...asking, ...failed.data], running: [...sending.data, ...moving],
      next: scheduled.data.filter(({ next_at: next }) => next && instant(next) - Date.now() < day).sort((a, b) => instant(a.next_at) - instant(b.next_at)),
      week: summary(runs.data, newest.data, Boolean(runs.next_cursor)),
      hasKey: credentials === null || credentials.data.length > 0, isFirst: newest.data.length === 0,
    };
  });

  let timer;
  let isHere = true;
  function wait() {
    timer = setTimeout(async () => {
      if (!document.hidden) await resource.reload();
      if (isHere) wait();
    }, resource.data?.running.length ? soon : later);
  }
  wait();

  const row = (campaign, step, ...cells) => m("li.dash-row", { key: campaign.id },
    m("a.row-link", { href: page(`/campaigns/${campaign.id}/${step}`) }, m("b", campaign.name)), cells);

  const Attention = ({ attention, hasKey }) => (attention.length || !hasKey) && m("section.sheet.stack", m("h2", t("dashboard.attention")), m("ul.dash-list", [
    !hasKey && m("li.dash-row", { key: "key" }, m("b", t("dashboard.noKey")), m("span.soft", t("dashboard.noKeyText")), m(Button, { class: "small", href: page("/app") }, t("dashboard.addKey"))),
    ...attention.map((each) => row(each, "report", m(StateBadge, { state: each.state === "scheduled" ? "paused" : each.state }), each.reason && m("span.meta", { lang: "en" }, each.reason))),
  ].filter(Boolean)));

  const Running = ({ running }) => running.length > 0 && m("section.sheet.stack", m("h2", t("dashboard.running")), m("ul.dash-list", running.map((each) => {
    const { last_run: run } = each;
    const percent = share(run?.progress ?? 0, 1, 0);
    return row(each, "report", m("span.row", m(StateBadge, { state: run?.state ?? each.state }), m("b", percent), m("span.soft", t("campaigns.accepted"), " ", number(run?.accepted ?? 0))),
      m(Meter, { class: "thin", all: 1, label: percent, parts: [{ kind: "accepted", value: run?.progress ?? 0 }] }));
  })));

  const Next = ({ next }) => next.length > 0 && m("section.sheet.stack", m("h2", t("dashboard.next")), m("ul.dash-list", next.map((each) =>
    row(each, "review", m("span.row", m("span", countdown(each.next_at)), m("span.soft", timeText(each.next_at)))))));

  function draw(data) {
    ringing[data.running.length ? "add" : "delete"]("dashboard");
    const mayWrite = session.may("campaigns:write");
    const parts = [Attention(data), Running(data), Next(data), data.week.runs > 0 && m(Week, { week: data.week })].filter(Boolean);
    if (parts.length) return m("div.stack.dash", parts);
    return m("div.sheet", m(Empty, { icon: "bell", title: t(data.isFirst ? "dashboard.firstTitle" : "dashboard.emptyTitle"), text: t(data.isFirst ? "dashboard.firstText" : "dashboard.emptyText") },
      mayWrite && m(Button, { look: "strong", icon: "plus-lg", onclick: createCampaign }, t("campaigns.new")),
      m(Button, { href: page("/campaigns") }, t("dashboard.allCampaigns"))));
  }

  return {
    onremove() {
      isHere = false;
      clearTimeout(timer);
      resource.end();
      ringing.delete("dashboard");
    },
    view: () => [
      m("div.page-head", m("h1", t("nav.dashboard"))),
      Loaded({ resource, skeleton: m(Skeleton, { rows: 5, height: 64 }) }, draw),
    ],
  };
}
