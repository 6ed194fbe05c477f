// The cells of the campaigns list.

import m from "../m.js";
import { langOf, moment, number, share, t } from "../i18n.js";
import { page, session } from "../session.js";
import { Badge, StateBadge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Menu } from "../ui/menu.js";
import { archiveCampaigns, deleteDraft, duplicateCampaign, steerRun } from "./actions.js";
import { messageOf } from "./message.js";
import { isSchedulePaused, resumeSchedule, scheduleItems } from "./recurrence.js";
import { asksToStart, isAhead } from "./run.js";
import { countdown, timeText } from "./when.js";
import { unscheduleItem } from "./unschedule.js";

const isMoving = (run) => run?.state === "sending" || run?.state === "waiting";
/** A repeating campaign is scheduled while its run is sent: the list says what happens at the moment. */
export function shownState(campaign) {
  return isMoving(campaign.last_run) ? campaign.last_run.state : campaign.state;
}

export function addressOf(campaign) {
  const step = { draft: "content", scheduled: isMoving(campaign.last_run) ? "report" : "review" }[campaign.state] ??
    "report";
  return page(`/campaigns/${campaign.id}/${step}`);
}

export const Name = {
  view: ({ attrs: { campaign } }) => {
    const { payload, content } = campaign.variants?.[0] ?? campaign;
    const { title, body } = messageOf(payload ?? content?.payload);
    const text = [title, body].filter(Boolean).join(" · ");
    return [
      m(
        "b.campaign-name",
        { dir: "auto", title: campaign.name.length > 60 ? campaign.name : undefined },
        campaign.name,
      ),
      campaign.variants && [" ", m(Badge, { title: t("variants.title") }, "A/B")],
      campaign.tags.length > 0 && m(
        "span.campaign-tags",
        campaign.tags.map((tag) => m("span", { key: tag }, m(Badge, { title: t("campaigns.tag") }, tag))),
      ),
      m("span.meta.cut", { dir: "auto" }, text || t("campaigns.fromTemplate")),
    ];
  },
};

const bars = new Set(["sending", "waiting", "paused"]);

export const State = {
  view: ({ attrs: { campaign } }) => {
    const { last_run: run, reason } = campaign;
    const state = shownState(campaign);
    const percent = run && share(run.progress, 1, 0);
    if (run && asksToStart({ ...run, reason })) {
      return [m("span.state", { "data-state": "paused" }, t("campaigns.asks"))];
    }
    if (state === "cancelled" && run) {
      return [m("span.state", { "data-state": state }, t("campaigns.stoppedAt", { share: percent }))];
    }
    const hasBar = run && bars.has(state) && !isAhead(run) && run.targeted > 0;
    return [
      m("span.row.nowrap.state-line", m(StateBadge, { state }), hasBar && m("span.soft", percent)),
      hasBar &&
      m(
        "span.bar",
        { role: "img", "aria-label": percent, "data-state": state },
        m("i", { style: { width: `${run.progress * 100}%` } }),
      ),
      reason && ["paused", "failed"].includes(state) &&
      m("span.meta.reason", { lang: langOf(reason), title: reason }, reason),
    ];
  },
};

/** Says when a campaign is sent next, how fast it is sent now, or when it was sent. */
export const When = {
  view: ({ attrs: { campaign, rate } }) => {
    const { last_run: run, next_at: next } = campaign;
    if (isMoving(run)) {
      if (run.state === "waiting" && !run.next_at) return t("campaigns.awaitsDecision");
      return run.state === "waiting" && run.next_at
        ? [
          t(isAhead(run) ? "campaigns.begins" : "campaigns.goesOn", { in: countdown(run.next_at) }),
          m("span.meta", moment(run.next_at)),
        ]
        : [
          rate === undefined
            ? t("campaigns.started", { time: moment(run.started_at) })
            : t("campaigns.rate", { count: rate }),
          rate !== undefined && m("span.meta", t("campaigns.started", { time: moment(run.started_at) })),
        ];
    }
    if (isSchedulePaused(campaign)) return m("span.soft", t("recurrence.isPaused"));
    if (campaign.state === "scheduled") {
      return next ? [countdown(next), m("span.meta", timeText(next))] : m("span.soft", t("campaigns.onTrigger"));
    }
    if (run?.verified_at) return m("span", t("campaigns.verified", { time: moment(run.verified_at) }));
    if (run?.finished_at) return m("span", t("campaigns.finished", { time: moment(run.finished_at) }));
    return m("span.soft", t("campaigns.changed", { time: moment(campaign.updated_at) }));
  },
};

/** The number leads to the devices behind it. */
export const Accepted = {
  view: (
    { attrs: { campaign: { id, last_run: run } } },
  ) => (run?.accepted > 0
    ? m("a.figure-link", { href: page(`/campaigns/${id}/runs/${run.id}/people?kind=accepted`) }, number(run.accepted))
    : m("span.soft", run?.targeted ? "0" : "–")),
};

export const Engaged = {
  view: (
    { attrs: { campaign: { last_run: run } } },
  ) => (run?.accepted && run.engaged !== null
    ? [number(run.engaged), m("span.meta", share(run.engaged, run.accepted))]
    : m("span.soft", "–")),
};

/** Pause or resume immediately, and the rest in a menu. `onrun(totals)` and `reload()` show what changed. */
export const Actions = {
  view: ({ attrs: { campaign, onrun, reload } }) => {
    const { last_run: run, archived_at: archived } = campaign;
    const maySend = session.may("campaigns:send"), mayWrite = session.may("campaigns:write");
    const steer = async (action) => {
      const totals = await steerRun(run, action);
      if (totals) onrun(totals);
      await reload();
    };
    return m(
      "div.row.nowrap.row-actions",
      [
        maySend && isMoving(run) && m(Button, {
          key: "pause",
          class: "small",
          icon: "pause-fill",
          onclick: () => steer("pause"),
        }, t("campaigns.pause")),
        maySend && run?.state === "paused" && (run.targeted > 0
          ? m(Button, {
            key: "resume",
            class: "small",
            icon: "play-fill",
            onclick: () => steer("resume"),
          }, t("campaigns.resume"))
          : m(
            Button,
            { key: "answer", class: "small", href: page(`/campaigns/${campaign.id}/report`) },
            t("campaigns.answer"),
          )),
        maySend && run?.state !== "paused" && isSchedulePaused(campaign) &&
        m(Button, {
          key: "schedule",
          class: "small",
          icon: "play-fill",
          onclick: () => resumeSchedule(campaign, reload),
        }, t("campaigns.resume")),
        m(Menu, {
          key: "menu",
          label: t("campaigns.actionsOf", { name: campaign.name }),
          icon: "three-dots",
          hidden: true,
          class: "quiet",
          items: [
            run && { label: t("campaigns.report"), icon: "bar-chart", href: page(`/campaigns/${campaign.id}/report`) },
            mayWrite && campaign.actions.includes("edit") &&
            { label: t("action.edit"), icon: "pencil", href: page(`/campaigns/${campaign.id}/content`) },
            ...scheduleItems(campaign, reload),
            unscheduleItem(campaign, reload),
            mayWrite && run?.accepted > 0 &&
            {
              label: t("followUp.button"),
              icon: "reply",
              href: page(`/campaigns/${campaign.id}/report?follow=notEngaged`),
            },
            mayWrite && { label: t("action.duplicate"), icon: "files", onclick: () => duplicateCampaign(campaign) },
            mayWrite && {
              label: t(archived ? "action.unarchive" : "action.archive"),
              icon: "archive",
              onclick: () => archiveCampaigns([campaign.id], reload, { isBack: Boolean(archived) }),
            },
            mayWrite && campaign.state === "draft" && !run && {
              label: t("action.delete"),
              icon: "trash",
              variant: "danger",
              onclick: async () => {
                if (await deleteDraft(campaign)) {
                  await reload();
                }
              },
            },
          ],
        }),
      ].filter(Boolean),
    );
  },
};
