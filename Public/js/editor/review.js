// The last step of a campaign: the forecast, the devices that are left out, every warning, a test, and the launch.

import m from "../m.js";
import { moment, number, share, t } from "../i18n.js";
import { sentences } from "../phrases.js";
import { api } from "../api.js";
import { requiresApproval } from "../approvals.js";
import { connection } from "../connection.js";
import { scheduleItems } from "../campaigns/recurrence.js";
import { navigate } from "../router.js";
import { inApp, page, session } from "../session.js";
import { askCancel, destinationText, launch } from "../review/launch.js";
import { ReviewSentence } from "../review/sentence.js";
import { TestPlan } from "../review/test-plan.js";
import { TestSend } from "../review/test-send.js";
import { isTested } from "../review/tested.js";
import { isAsked, mayBeSent } from "../review/approval-state.js";
import { keyOf, Warnings } from "../review/warnings.js";
import { messageOf } from "../review/message.js";
import { errorText } from "../problems/error-text.js";
import { MessagePreview } from "../content/message-preview.js";
import { variantDraft } from "../draft/variant-draft.js";
import { VariantTabs } from "../campaigns/variant-tabs.js";
import { SchedulePaused } from "../report/controls.js";
import { countWords } from "../schedule/count-of.js";
import { CountedAt } from "../schedule/count-sum.js";
import { forecastOf } from "../schedule/forecast.js";
import { reasonWords } from "../schedule/reasons.js";
import { Timeline } from "../schedule/timeline.js";
import { known } from "../audience/values.js";
import { Badge } from "../ui/badge.js";
import { Banner } from "../ui/banner.js";
import { Button } from "../ui/button.js";
import { Lazy } from "../ui/lazy.js";
import { Menu } from "../ui/menu.js";
import { Skeleton } from "../ui/skeleton.js";
import { toast, toastError } from "../ui/toast.js";

/** Ticks survive a look at another step. */
const ticks = new WeakMap();

export default function ReviewStep({ attrs: { draft } }) {
  const forecast = forecastOf(draft);
  const seen = ticks.get(draft) ?? new Set();
  ticks.set(draft, seen);
  let error = null;
  /** The variant that is shown and tested. */
  let place = 0;
  const shownDraft = () => variantDraft(draft, place);
  const message = messageOf({
    get value() {
      return shownDraft().value;
    },
  });
  draft.flush();
  // A decision does not change the version by which a forecast is kept.
  if (requiresApproval()) forecast.countAgain();

  /** Errors, warnings and what the forecast found, each once. */
  function problems(data) {
    // The API lets a program send a push that shows nothing; a person who does forgot the text.
    const found = [...draft.problems, ...(data?.problems ?? [])].map((
      each,
    ) => (each.code === "nothing-to-show" ? { ...each, severity: "error" } : each));
    if (message.showsNothing) found.push({ path: "payload", code: "nothing-to-show", message: "", severity: "error" });
    const { audience } = draft.value;
    const own = (code, message, step, severity = "warning") => found.push({ path: "", code, message, severity, step });
    // A later occurrence of a recurring or triggered campaign can have recipients.
    if (data?.sent === 0 && !["triggered", "recurring"].includes(draft.value.schedule?.kind)) {
      own("nobody", t("review.nobody"), "audience", "error");
    }
    if (!audience?.include) {
      own("everyone", t(audience?.exclude ? "audience.onlyExcept" : "audience.noConditions"), "audience");
    }
    for (const { reason, count, explanation } of data?.suppressed ?? []) {
      // Standing facts about the devices, about which the campaign can do nothing.
      if (reason !== "notifications denied" && reason !== "opted out of all campaigns") {
        own(
          reason,
          sentences([t("review.leftOut", { count, reason: reasonWords(reason) }), explanation]),
          reason === "value missing" || reason === "value not usable" || reason === "payload too long"
            ? "content"
            : "schedule",
        );
      }
    }
    if (data?.expired) own("expired", t("schedule.expired", { count: data.expired }), "schedule");
    if (!isTested(draft.value)) {
      found.push({ path: "", code: "untested", message: t("review.untested"), severity: "warning", isOwn: true });
    }
    return [...new Map(found.map((each) => [keyOf(each), each])).values()];
  }

  /** The reason for which it can't be launched now, or undefined. */
  function obstacle(data, all) {
    if (connection.isOffline) return t("review.offline");
    if (draft.conflict) return t("review.conflict");
    if (!draft.isSaved) return t("review.notSaved");
    if (!data || forecast.isOld || forecast.isCounting) return t("review.counting");
    if (all.some(({ severity }) => severity === "error")) return t("review.hasErrors");
    const open = all.filter((each) => each.severity === "warning" && !seen.has(keyOf(each))).length;
    return open ? t("review.tickFirst", { count: open }) : undefined;
  }

  async function go(action, confirm) {
    error = null;
    try {
      if (await launch({ draft, forecast, action, confirm })) navigate(page(`/campaigns/${draft.value.id}/report`));
    } catch (failure) {
      error = failure;
      if (failure.status === 412) draft.reload();
    }
    m.redraw();
  }

  async function act(action, text) {
    try {
      draft.accept(
        await api.post(inApp(`/campaigns/${draft.value.id}/${action}`), undefined, { ifMatch: draft.value.version }),
      );
      toast(text);
      return true;
    } catch (failure) {
      error = failure;
      if (failure.status === 412) draft.reload();
    }
    m.redraw();
    return false;
  }
  const edit = async () =>
    await act("unschedule", t("review.unscheduled")) && navigate(page(`/campaigns/${draft.value.id}/content`));
  async function cancel() {
    if (await askCancel(forecast.count ?? null) && await act("cancel", t("review.cancelled"))) {
      navigate(page(`/campaigns/${draft.value.id}/report`));
    }
  }

  const needsApproval = (data) => !mayBeSent(data) && ["draft", "failed"].includes(draft.value.state);
  /** Asks for an approval, or decides about it. */
  const approval = (data, reason) =>
    m(Lazy, { module: "review/approval.js", fields: { draft, data, reason, again: () => forecast.countAgain() } });

  function buttons(data, all) {
    const { actions, state, schedule } = draft.value;
    const shown = { count: forecast.count?.value ?? null, devices: forecast.count ? countWords(forecast.count) : "–" };
    const reason = obstacle(data, all);
    if (data && needsApproval(data)) return approval(data, reason);
    if (!session.may("campaigns:send")) return m("p.soft", t("review.mayNotSend"));
    if (actions.includes("unschedule")) {
      const start = t("review.sendNow", shown);
      return [
        m(Button, { variant: "strong", onclick: edit }, t("review.edit")),
        m(Button, { onclick: () => act("unschedule", t("review.unscheduled")) }, t("review.unschedule")),
        m(Menu, {
          label: t("action.more"),
          icon: "three-dots",
          hidden: true,
          items: [
            ...scheduleItems(draft.value, (changed) => draft.accept(changed)),
            actions.includes("start") &&
            {
              label: start,
              icon: "send",
              onclick: () => (reason ? toastError(new Error(reason)) : go("start", start)),
            },
            actions.includes("cancel") &&
            { label: t("review.cancelMenu"), icon: "x-octagon", variant: "danger", onclick: cancel },
          ],
        }),
        m("p.soft", t("review.editHelp")),
      ];
    }
    if (state !== "draft" && state !== "failed") {
      return m(Button, { variant: "strong", href: page(`/campaigns/${draft.value.id}/report`) }, t("review.report"));
    }
    const label = schedule
      ? t(schedule.kind === "triggered" ? "review.arm" : "review.schedule", shown)
      : t("review.sendNow", shown);
    return [
      m(Button, {
        variant: "strong",
        icon: schedule ? "calendar-check" : "send",
        reason,
        onclick: () => go(schedule ? "schedule" : "start", label),
      }, label),
      reason && m("p.soft", { role: "status" }, reason),
    ];
  }

  function leftOut({ audience, suppressed, expired, is_exact: isExact }) {
    const all = [...suppressed, ...(expired ? [{ reason: "expired", count: expired }] : [])];
    const sum = all.reduce((total, { count }) => total + count, 0);
    if (!sum) return audience > 0 && m("p.soft", t("review.nobodyLeftOut"));
    return m(
      "div.stack",
      { style: { "--gap": "8px" } },
      m(
        "p",
        `${isExact ? "" : `${t("audience.about")} `}${
          t("review.notSent", { count: sum, share: share(sum, audience) })
        }`,
      ),
      m(
        "ul.left-out",
        all.map(({ reason, count, explanation }) =>
          m(
            "li",
            { key: reason },
            m("b", number(count)),
            m("span", reasonWords(reason), explanation && m("span.soft", ` ${explanation}`)),
          )
        ),
      ),
    );
  }

  return {
    view: () => {
      forecast.follow();
      message.follow();
      const { data } = forecast;
      const all = problems(data);
      const isWaiting = data && needsApproval(data) && isAsked(draft.value, data);
      const isOpen = ["draft", "failed"].includes(draft.value.state);
      // "Send now" of a scheduled campaign asks for the same ticks.
      const warns = (isOpen || draft.value.actions.includes("start")) && all.length > 0;
      const kind = session.current?.destination;
      return m(
        "div.review-columns",
        m(
          "div.stack",
          { style: { "--gap": "24px" } },
          isWaiting && m("section.sheet", approval(data)),
          m(
            "section.sheet.stack",
            m("h2", t("review.title")),
            forecast.error &&
              m(
                Banner,
                { variant: "danger", role: "alert" },
                forecast.error.message,
                m(Button, { variant: "plain", onclick: () => forecast.countAgain() }, t("action.retry")),
              ),
            data
              ? [
                m(ReviewSentence, { campaign: draft.value, data }),
                data.test && data.sent > 0 && m(TestPlan, { test: data.test }),
                kind && m("p.row", m(Badge, { variant: kind }, destinationText())),
                leftOut(data),
                m(CountedAt, { forecast }),
                data.timeline.length > 1 && m(Timeline, { forecast: data, zones: known().zones }),
              ]
              : !forecast.error && m(Skeleton, { rows: 4, height: 30 }),
            draft.value.rejection_threshold_percent !== null
              ? m("p.soft", t("review.brake", { percent: share(draft.value.rejection_threshold_percent, 100, 0) }))
              : m("p.warn", t("review.noBrake")),
          ),
          isOpen && m(TestSend, { key: place, draft: shownDraft() }),
          m(
            "section.sheet.stack",
            warns && m("h2", t("review.warnings")),
            warns &&
              m(
                "div.stack",
                { style: { "--gap": "8px" } },
                m(Warnings, {
                  problems: all,
                  campaign: draft.value,
                  seen,
                  readonly: isWaiting || !session.may("campaigns:write"),
                }),
              ),
            error && m(Banner, { variant: "danger", role: "alert" }, errorText(error)),
            m(SchedulePaused, { campaign: draft.value, take: (changed) => draft.accept(changed) }),
            data?.approval === "approved" && m(
              Banner,
              { variant: "good" },
              t("review.approved", {
                name: draft.value.approval.decided_by,
                time: moment(draft.value.approval.decided_at),
              }),
            ),
            !isWaiting && m("div.launch", buttons(data, all)),
          ),
        ),
        m(
          "aside.sheet.stack",
          { "aria-label": t("report.message") },
          m("h2", t("report.message")),
          draft.value.variants && m(VariantTabs, {
            variants: draft.value.variants,
            place,
            onchange: (next) => {
              place = next;
            },
          }),
          message.content && m(MessagePreview, { content: message.content, isRendered: message.isRendered }),
        ),
      );
    },
  };
}
