// The live room of a run, which becomes its report.

import m from "../m.js";
import { loadTexts, moment, t } from "../i18n.js";
import { countdown, timeText } from "../campaigns/when.js";
import { api } from "../api.js";
import { load, LoadedPage } from "../loading.js";
import { loadModule } from "../modules.js";
import { pagedList } from "../paged-list.js";
import { route, setQuery } from "../router.js";
import { inApp, page, session } from "../session.js";
import { asksToStart, isOver } from "../campaigns/run.js";
import { choices } from "../follow-up/choices.js";
import { FollowUpDialog } from "../follow-up/dialog.js";
import { Controls, LimitDialog, QuestionBanner, SchedulePaused } from "../report/controls.js";
import { Figures, liveRegionText } from "../report/figures.js";
import { BeforeRun } from "../report/before-run.js";
import { Message } from "../report/message.js";
import { RunNotes } from "../report/notes.js";
import { RateChart } from "../report/rate-chart.js";
import { RunVariants } from "../report/variants.js";
import { Tags } from "../editor/tags.js";
import { Effect } from "../report/effect.js";
import { isAtBestTime } from "../schedule/best-window.js";
import { TestResult } from "../report/test-result.js";
import { Runs } from "../report/runs.js";
import { tagsOf } from "../report/own-tags.js";
import { runOf } from "../report/run-of.js";
import { watchRun } from "../report/watch.js";
import { Why } from "../report/why.js";
import { Badge, StateBadge } from "../ui/badge.js";
import { ringing } from "../ui/bell.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/skeleton.js";

/**
 * The parts below the ledger, {Statistics, DueTimes}: the page is there without them, and loads them after its first
 * paint.
 */
let parts = null;
async function loadParts() {
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  const [{ Statistics }, { DueTimes }, { Conversions }] = await Promise.all([
    loadModule("report/statistics.js"),
    loadModule("report/due-times.js"),
    loadModule("report/conversions.js"),
    loadTexts("history"),
    loadTexts("events"),
  ]);
  parts = { Statistics, DueTimes, Conversions };
}

/** Milliseconds between two drawings of what depends on the clock, and between two looks for a first run. */
const redrawIntervalMs = 1_000, firstRunPollMs = 1_500;

/** The lists of people behind what devices reported. */
const reportedQueries = { delivered: "?event=delivered", engaged: "?engaged=true", opened: "?opened=true" };

export default function ReportPage({ attrs }) {
  const { campaign: id, run: wanted } = attrs.params;
  let watch = null;
  let isLimitOpen = false;
  /** The people that a follow-up begins with, as the address may say; null while there is none. */
  let followed = choices.find((each) => each === route.query.follow) ?? null;
  /** A run that began after the one that is shown, or null. */
  let newer = null;
  const runs = pagedList(inApp(`/campaigns/${id}/runs`), undefined, { limit: 20 });
  let isAsked = false, hasFailed = false;

  const resource = load(async (signal) => {
    const campaign = await api.get(inApp(`/campaigns/${id}`), {}, { signal });
    const newest = wanted ?? (await api.get(inApp(`/campaigns/${id}/runs`), { limit: 1 }, { signal })).data[0]?.id;
    const run = newest && await runOf(id, newest, signal);
    if (run && watch?.run.id !== run.id) {
      watch?.end();
      newer = null;
      watch = watchRun(run, { onchange: reloadCampaign });
    }
    const contents = await Promise.all((campaign.variants ?? [campaign]).map((each) => contentOf(each, signal)));
    return { campaign, contents };
  });

  /** Of a campaign, or of one of its variants. */
  async function contentOf({ payload, content, template: id, template_version: version }, signal) {
    if (!id) return content ?? { payload };
    try {
      const template = await api.get(inApp(`/templates/${id}`), { version }, { signal });
      return template.content;
    } catch {
      // The report is worth more than the text beside it.
      return undefined;
    }
  }
  /** The campaign's actions follow its run's state. */
  async function reloadCampaign() {
    try {
      const campaign = await api.get(inApp(`/campaigns/${id}`));
      if (resource.data) resource.data = { ...resource.data, campaign };
      await runs.reload();
    } catch {
      // The run's stream goes on, and its own state is what the page shows.
    }
  }

  let tags = null;
  /** The tags of the campaign as it is, with what the reader has changed meanwhile. */
  function ownTags(campaign) {
    if (tags?.version !== campaign.version) {
      tags = { version: campaign.version, draft: tagsOf(campaign, takeTags) };
    }
    return tags.draft;
  }
  function takeTags(campaign) {
    resource.data = { ...resource.data, campaign };
    m.redraw();
  }

  /** A schedule was paused, resumed or cut short, and its runs with it. */
  function takeCampaign(campaign) {
    resource.data = { ...resource.data, campaign };
    return runs.reload();
  }

  const timer = setInterval(() => {
    if (!document.hidden && watch && !isOver(watch.run)) m.redraw();
  }, redrawIntervalMs);
  // A run may be begun by its plan, by another person or by an app: the page finds it by itself.
  const waiting = setInterval(() => {
    if (document.hidden || resource.isLoading || !resource.data || wanted) return;
    if (!watch || isOver(watch.run)) lookForRun();
  }, firstRunPollMs);
  let isLooking = false;
  async function lookForRun() {
    if (isLooking) return;
    isLooking = true;
    try {
      const [newest] = (await api.get(inApp(`/campaigns/${id}/runs`), { limit: 1 })).data;
      const isNew = newest && newest.id !== watch?.run.id && newest.id !== newer;
      // Runs that apps trigger may follow each other faster than anybody reads: the page says so, and stays with the
      // run.
      if (isNew && watch && resource.data.campaign.schedule?.kind === "triggered") newer = newest.id;
      else if (isNew || !watch) await resource.reload();
      if (isNew) await runs.reload();
      m.redraw();
    } catch {
      // The next look may succeed; connection.js says so when the server is away.
    }
    isLooking = false;
  }

  /** The reports of devices, as the breakdown below has them: one query answers both. {run, counts}, or null before. */
  let reportedCounts = null;
  const people = (run, query) => page(`/campaigns/${id}/runs/${run.id}/people${query}`);

  const follow = (choice) => {
    followed = choice;
  };

  function draw({ campaign, contents }) {
    const run = watch?.run;
    return [
      m("a.back.meta", { href: page("/campaigns") }, m(Icon, { name: "chevron-left" }), t("report.back")),
      m(
        "div.page-head",
        m(
          "div.grow",
          m("h1", { dir: "auto" }, campaign.name),
          m(
            "div.row.report-state",
            m(StateBadge, { state: run?.state ?? campaign.state }),
            run?.destination && m(Badge, { variant: run.destination }, t(`report.${run.destination}`)),
            wanted && run && m("span.meta", t("report.run", { time: moment(run.started_at) })),
            run && isOver(run) && campaign.next_at &&
              m("span.meta", t("report.next", { in: countdown(campaign.next_at), time: timeText(campaign.next_at) })),
          ),
          m(Tags, { draft: ownTags(campaign) }),
        ),
        m(Controls, { campaign, run, take: watch?.take, takeCampaign, onfollow: () => follow("notEngaged") }),
      ),
      m(SchedulePaused, { campaign, take: takeCampaign }),
      run ? drawRun(campaign, contents, run) : drawNothing(campaign, contents),
      followed && run?.accepted > 0 && m(FollowUpDialog, {
        campaign,
        run,
        first: followed,
        onclose: () => {
          followed = null;
          if (route.query.follow) setQuery({ follow: null });
        },
      }),
      isLimitOpen && m(LimitDialog, {
        run,
        take: watch.take,
        onclose: () => {
          isLimitOpen = false;
        },
      }),
    ];
  }

  function drawRun(campaign, contents, run) {
    const hasNumbers = run.accepted > 0 && !asksToStart(run);
    if (run.targeted > 0 && !parts && !isAsked) {
      isAsked = true;
      loadParts().catch(() => {
        hasFailed = true;
      }).then(m.redraw);
    }
    return m(
      "div.stack.report",
      m("p.visually-hidden", { role: "status", "aria-live": "polite" }, liveRegionText(run)),
      m(RunNotes, { watch, hasNewer: newer !== null, onnewer: () => resource.reload() }),
      asksToStart(run) ? null : m(Figures, {
        run: { ...run, ...(reportedCounts?.run === run.id && reportedCounts.counts) },
        samples: watch.samples,
        href: (kind) => people(run, kind === "targeted" ? "" : `?kind=${kind}`),
        deferredHref: people(run, "?deferred=true"),
        reportedHref: (measure) => people(run, reportedQueries[measure]),
        onfollow: session.may("campaigns:write") && follow,
        onlimit: () => {
          isLimitOpen = true;
        },
      }),
      (campaign.variants || isAtBestTime(campaign.schedule)) && m(TestResult, { campaign }),
      campaign.control_share && m(Effect, { campaign }),
      m(RunVariants, { run, href: (query) => people(run, query) }),
      m(
        "div.report-columns",
        m(
          "div.stack",
          (watch.samples.length > 1 || run.state === "sending") &&
            m(
              "section.sheet.stack",
              m("h2", t("report.chart")),
              m(RateChart, { samples: watch.samples, isSending: run.state === "sending" }),
            ),
          asksToStart(run) ? m("section.sheet", m(QuestionBanner, { run, take: watch.take })) : m(Why, {
            run,
            href: (kind, reason) => people(run, `?kind=${kind}&reason=${encodeURIComponent(reason)}`),
          }),
          m(Runs, { list: runs, campaign: id, shown: run.id, isTriggered: campaign.schedule?.kind === "triggered" }),
        ),
        m("div.stack", m(Message, { campaign, contents })),
      ),
      // Some browsers never repeat an import that failed.
      hasFailed &&
        m(
          Banner,
          { variant: "danger", role: "alert" },
          t("error.module"),
          m(Button, { variant: "plain", onclick: () => location.reload() }, t("action.reload")),
        ),
      run.targeted > 0 && parts && m(parts.DueTimes, { run, href: (query) => people(run, query) }),
      hasNumbers && parts && m(parts.Statistics, {
        run,
        campaign: id,
        oncounts: ({ delivered, engaged, opened }) => {
          reportedCounts = { run: run.id, counts: { delivered, engaged, opened } };
          m.redraw();
        },
      }),
      hasNumbers && parts && m(parts.Conversions, { campaign }),
    );
  }

  const drawNothing = (campaign, contents) =>
    m(
      "div.report-columns",
      m(BeforeRun, { campaign, onlate: () => resource.reload() }),
      m("div.stack", m(Message, { campaign, contents })),
    );

  const bell = `report ${id}`;
  return {
    onremove() {
      clearInterval(timer);
      clearInterval(waiting);
      watch?.end();
      resource.end();
      runs.end();
      ringing.delete(bell);
    },
    view() {
      ringing[watch?.run.state === "sending" ? "add" : "delete"](bell);
      return LoadedPage({
        resource,
        skeleton: m(Skeleton, { rows: 5, height: 64 }),
        list: { href: page("/campaigns"), title: t("nav.campaigns") },
      }, draw);
    },
  };
}
