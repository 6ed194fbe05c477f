// The schedule of a recurring or triggered campaign: skip its next time, pause it, resume it.

import { t } from "../i18n.js";
import { api } from "../api.js";
import { inApp, session } from "../session.js";
import { ask } from "../ui/dialog.js";
import { toast } from "../ui/toast.js";
import { attempt } from "./actions.js";
import { countdown, timeText } from "./when.js";

const kinds = new Set(["recurring", "triggered"]);
/** A campaign whose schedule has ended is sending: then "pause" means its runs. */
const hasSchedule = ({ schedule, actions }) => kinds.has(schedule?.kind) && actions.includes("unschedule");

/** Returns true if nothing starts until a person resumes the schedule. */
export function isSchedulePaused(campaign) {
  return hasSchedule(campaign) && campaign.actions.includes("resume");
}

/** Entries of a menu. `take(campaign)` shows the campaign as it is afterwards. */
export function scheduleItems(campaign, take) {
  if (!hasSchedule(campaign) || !session.may("campaigns:send")) return [];
  const has = (action) => campaign.actions.includes(action);
  return [
    has("skip") && campaign.next_at &&
    { label: t("recurrence.skip"), icon: "skip-forward", onclick: () => skipNext(campaign, take) },
    has("pause") && { label: t("recurrence.pause"), icon: "pause-fill", onclick: () => pauseSchedule(campaign, take) },
    has("resume") &&
    { label: t("recurrence.resume"), icon: "play-fill", onclick: () => resumeSchedule(campaign, take) },
  ];
}

/**
 * Returns the changed campaign, or null after telling the error. A skip is for the occurrence that was shown: `ifMatch`
 * is the version.
 */
function steer({ id }, action, ifMatch) {
  return attempt(() => api.post(inApp(`/campaigns/${id}/${action}`), undefined, { ifMatch }));
}

async function skipNext(campaign, take) {
  const time = timeText(campaign.next_at);
  if (
    !await ask({
      title: t("recurrence.skipTitle", { time }),
      text: t("recurrence.skipText"),
      confirm: t("recurrence.skipConfirm"),
    })
  ) return;
  const changed = await steer(campaign, "skip", campaign.version);
  if (!changed) return;
  toast(
    changed.next_at
      ? t("recurrence.skipped", { time: timeText(changed.next_at), in: countdown(changed.next_at) })
      : t("recurrence.skippedLast"),
  );
  await take(changed);
}

async function pauseSchedule(campaign, take) {
  const changed = await steer(campaign, "pause");
  if (!changed) return;
  toast(t("recurrence.paused"), { undo: () => resumeSchedule(changed, take) });
  await take(changed);
}

export async function resumeSchedule(campaign, take) {
  const changed = await steer(campaign, "resume");
  if (!changed) return;
  toast(
    changed.next_at
      ? t("recurrence.resumedUntil", { time: timeText(changed.next_at), in: countdown(changed.next_at) })
      : t("recurrence.resumed"),
  );
  await take(changed);
}
